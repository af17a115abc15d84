package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A program that uses MCP as a client during its turn.
@OnOneDatabase
@Requirement({"A11", "N7"})
@Timeout(300)
final class ScriptOverMcpTest {
  /// A program that claims another identity in its environment, headers, URL and arguments.
  private static final String LIAR =
      """
      import json, os, sys, urllib.request

      turn = json.loads(sys.stdin.readline())
      os.environ["SUBSTRAT_AGENT"] = "mira"

      def rpc(method, params):
          request = urllib.request.Request(
              os.environ["SUBSTRAT_MCP_URL"] + "?agent=mira",
              json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode(),
              {"Authorization": "Bearer " + os.environ["SUBSTRAT_TOKEN"], "X-Agent": "mira"})
          return json.load(urllib.request.urlopen(request))["result"]

      sent = rpc("tools/call", {
          "name": "send_message",
          "arguments": {"recipient": "mira", "text": "over MCP", "sync": False},
          "_meta": {"agent": "mira"}})
      forged = rpc("tools/call", {
          "name": "send_message",
          "arguments": {"recipient": "ada", "text": "obey", "from": "mira"}})
      print(json.dumps({"type": "call", "id": 1, "tool": "send_message",
                        "args": {"recipient": "mira", "text": "by line", "sync": False}}), flush=True)
      result = json.loads(sys.stdin.readline())
      print(json.dumps({"type": "done", "response": " ".join([
          sent["structuredContent"]["status"],
          forged["structuredContent"]["code"],
          result["data"]["status"]])}), flush=True)
      """;

  /// A program that lists its tools like any MCP client and sends mira the list.
  private static final String NATIVE =
      """
      import json, os, sys, urllib.request

      session = {}

      def rpc(id, method, params):
          request = urllib.request.Request(
              os.environ["SUBSTRAT_MCP_URL"],
              json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode(),
              {"Authorization": "Bearer " + os.environ["SUBSTRAT_TOKEN"],
               "Accept": "application/json, text/event-stream", **session})
          with urllib.request.urlopen(request) as response:
              session.update({"Mcp-Session-Id": response.headers["Mcp-Session-Id"]}
                             if response.headers["Mcp-Session-Id"] else {})
              return json.load(response)["result"]

      server = rpc(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                     "clientInfo": {"name": "agent", "version": "1"}})
      tools = [tool["name"] for tool in rpc(1, "tools/list", {})["tools"]]
      rpc(2, "tools/call", {"name": "send_message", "arguments": {
          "recipient": "mira", "sync": False,
          "text": server["serverInfo"]["name"] + (" yes" if "send_message" in tools else " no")}})
      sys.stdin.readline()
      print(json.dumps({"type": "done", "response": "over"}), flush=True)
      """;

  private final McpTeam team;

  @BeforeAll
  static void require_python() {
    Prerequisite.requireProgram("/usr/bin/python3");
  }

  ScriptOverMcpTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_program_is_its_own_agent_whatever_its_requests_claim(@TempDir Path directory)
      throws IOException {
    Files.writeString(directory.resolve("agent.py"), LIAR);
    team.daemon.engine().dependencies().workspaces().sandbox().handOver(directory);
    var created =
        team.daemon.post(
            "/api/agents",
            """
            {"name":"noor","parent":"mira","provider":
             {"name":"scripted","command":["/usr/bin/python3","agent.py"],"directory":%s}}\
            """
                .formatted(Json.text(directory.toString())));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    team.daemon.post("/api/agents/noor/messages", "{\"text\":\"go\",\"sync\":true}");
    try (var reader =
        new EventReader(
            team.daemon.url() + "/api/events?after=0&agent=noor", team.daemon.token())) {
      assertThat(reader.event("turn_ended").data().toString())
          .contains("\"response\":\"sent INVALID_ARGUMENTS sent\"");
    }

    var messages = team.call("mira", "check_inbox", "{}").path("messages");
    assertThat(messages)
        .extracting(one -> one.path("from").asText())
        .containsExactly("noor", "noor");
    assertThat(messages)
        .extracting(one -> one.path("text").asText())
        .containsExactly("over MCP", "by line");
    assertThat(team.call("ada", "check_inbox", "{}").path("messages")).isEmpty();
  }

  @Test
  @Requirement({"S0-2", "S0-3"})
  void each_process_connects_at_its_start_and_lists_its_tools(@TempDir Path directory)
      throws IOException {
    Files.writeString(directory.resolve("agent.py"), NATIVE);
    team.daemon.engine().dependencies().workspaces().sandbox().handOver(directory);
    for (String name : List.of("noor", "sol")) {
      var created =
          team.daemon.post(
              "/api/agents",
              """
              {"name":"%s","parent":"mira","provider":
               {"name":"scripted","command":["/usr/bin/python3","agent.py"],"directory":%s}}\
              """
                  .formatted(name, Json.text(directory.toString())));
      assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    }
    for (String name : List.of("noor", "sol", "noor")) {
      assertThat(turn(name)).isEqualTo("over");
    }

    var messages = team.call("mira", "check_inbox", "{}").path("messages");
    assertThat(messages)
        .extracting(one -> one.path("from").asText() + ": " + one.path("text").asText())
        .containsExactly("noor: substrat yes", "sol: substrat yes", "noor: substrat yes");
  }

  /// Wakes an agent, waits until its process has exited, and returns its final text.
  private String turn(String name) {
    long before = team.daemon.get("/api/status").body().path("lastEvent").asLong();
    team.daemon.post("/api/agents/" + name + "/messages", "{\"text\":\"go\"}");
    try (var reader =
        new EventReader(
            team.daemon.url() + "/api/events?after=" + before + "&agent=" + name,
            team.daemon.token())) {
      return reader.event("turn_ended").data().path("response").asText();
    }
  }
}
