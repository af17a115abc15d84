package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.api.EventReader;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Notifications to MCP clients of both eras.
@OnOneDatabase
@Timeout(300)
final class McpNotificationTest {
  private static final String MODERN = "2026-07-28";

  private final McpTeam team;

  McpNotificationTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N3")
  void a_session_is_notified_of_changed_tools() {
    assertThat(McpTeam.tools(team.client("ada"))).contains("send_message");
    try (var stream = session("ada")) {
      narrow("ada");

      assertThat(next(stream).path("method").asText())
          .isEqualTo("notifications/tools/list_changed");
      assertThat(McpTeam.tools(team.client("ada"))).containsExactly("check_inbox");
    }
  }

  @Test
  @Requirement("N3")
  void a_subscription_is_notified_of_changed_tools() throws Exception {
    try (var http = HttpClient.newHttpClient();
        var stream = listen(http, "ada", "{\"toolsListChanged\":true}")) {
      assertThat(message(stream).path("method").asText())
          .isEqualTo("notifications/subscriptions/acknowledged");
      narrow("ada");

      JsonNode news = message(stream);
      assertThat(news.path("method").asText()).isEqualTo("notifications/tools/list_changed");
      assertThat(news.at("/params/_meta").path("io.modelcontextprotocol/subscriptionId").asInt())
          .isEqualTo(7);
      assertThat(McpTeam.tools(team.client("ada"))).containsExactly("check_inbox");
    }
  }

  @Test
  void a_session_is_notified_of_tools_that_find_tools_loads() {
    team.create(
        "dora",
        """
        {"name":"dora","provider":{"name":"external"},"toolLoading":"deferred"}
        """);
    try (var stream = session("dora")) {
      team.call("dora", "find_tools", "{\"query\":\"send_message\"}");

      assertThat(next(stream).path("method").asText())
          .isEqualTo("notifications/tools/list_changed");
      assertThat(McpTeam.tools(team.client("dora"))).contains("send_message");
    }
  }

  @Test
  void tool_changes_of_other_agents_are_not_notified() {
    try (var stream = session("ben")) {
      narrow("ada");
      narrow("ben");

      assertThat(next(stream).path("method").asText())
          .isEqualTo("notifications/tools/list_changed");
      assertThat(McpTeam.tools(team.client("ben"))).containsExactly("check_inbox");
    }
  }

  @Test
  void a_reminder_notifies_inbox_subscribers() {
    String session = begin("ada");
    watchInbox("ada", session);
    try (var stream = open("ada", session)) {
      team.call("ada", "remind_me", "{\"text\":\"the tide turns\",\"in_seconds\":1}");

      assertThat(next(stream).at("/params/uri").asText()).isEqualTo("substrat://inbox");
      assertThat(read("ada")).contains("the tide turns");
    }
    try (var log = events("ada")) {
      JsonNode due = log.event("reminder_due").data();
      assertThat(due.path("agent").asText()).isEqualTo("ada");
      assertThat(due.path("text").asText()).isEqualTo("the tide turns");
    }
  }

  @Test
  void the_end_of_a_watched_turn_notifies_inbox_subscribers() {
    team.daemon.post(
        "/api/agents",
        """
        {"name": "noor", "parent": "mira",
         "provider": {"name": "scripted", "playbook": [{"do": [{"say": "counted"}]}]}}\
        """);
    team.call("mira", "subscribe", "{\"name\":\"noor\"}");
    String session = begin("mira");
    watchInbox("mira", session);
    try (var stream = open("mira", session)) {
      team.daemon.post("/api/agents/noor/messages", "{\"text\":\"count\"}");

      assertThat(next(stream).at("/params/uri").asText()).isEqualTo("substrat://inbox");
      assertThat(read("mira")).contains("noor ended a turn: done");
    }
    try (var log = events("mira")) {
      assertThat(log.event("notice_given").data().path("subject").asText()).isEqualTo("noor");
    }
  }

  private void narrow(String agent) {
    String parent = team.daemon.get("/api/agents/" + agent + "/config").text("parent");
    var answer =
        team.daemon
            .client()
            .send(
                "PUT",
                "/api/agents/" + agent,
                """
                {"name":"%s","parent":"%s","provider":{"name":"external"},"toolsets":[]}\
                """
                    .formatted(agent, parent));
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
  }

  private EventReader events(String agent) {
    return new EventReader(
        team.daemon.url() + "/api/events?after=0&agent=" + agent, team.daemon.token());
  }

  private EventReader session(String agent) {
    return open(agent, begin(agent));
  }

  private String begin(String agent) {
    return team.client(agent)
        .post(
            "/mcp",
            McpTeam.request(
                "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}"))
        .header("Mcp-Session-Id");
  }

  /// The first event arrives when the subscription is active.
  private EventReader open(String agent, String session) {
    return new EventReader(
        team.daemon.url() + "/mcp",
        team.client(agent).token(),
        "Accept",
        "text/event-stream",
        "Mcp-Session-Id",
        session);
  }

  private void watchInbox(String agent, String session) {
    TestClient.Answer answer =
        team.client(agent)
            .post(
                "/mcp",
                McpTeam.request("resources/subscribe", "{\"uri\":\"substrat://inbox\"}"),
                "Mcp-Session-Id",
                session);
    assertThat(answer.body().has("result")).as("%s", answer).isTrue();
  }

  private String read(String agent) {
    return team.rpc(agent, "resources/read", "{\"uri\":\"substrat://inbox\"}").toString();
  }

  private static JsonNode next(EventReader stream) {
    return stream.event("message").data();
  }

  private BufferedReader listen(HttpClient http, String agent, String wanted)
      throws IOException, InterruptedException {
    String body =
        """
        {"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":%s,
         "_meta":{"io.modelcontextprotocol/protocolVersion":"%s",
                  "io.modelcontextprotocol/clientCapabilities":{}}}}\
        """
            .formatted(wanted, MODERN);
    var request =
        HttpRequest.newBuilder(URI.create(team.daemon.url() + "/mcp"))
            .header("Authorization", "Bearer " + team.client(agent).token())
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", MODERN)
            .header("Mcp-Method", "subscriptions/listen")
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private static JsonNode message(BufferedReader stream) throws IOException {
    String line = stream.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = stream.readLine();
    }
    assertThat(line).as("the stream continues").isNotNull();
    return Json.own(line.substring("data: ".length()));
  }
}
