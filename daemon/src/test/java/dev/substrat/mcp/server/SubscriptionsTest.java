package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.RawClient;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Notifications to modern clients with a subscription.
@OnOneDatabase
final class SubscriptionsTest {
  private static final String META =
      """
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":\
      {"extensions":{"io.modelcontextprotocol/tasks":{}}}}\
      """;

  private final McpTeam team;

  SubscriptionsTest(TestDatabase place) {
    this.team = new McpTeam(place);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("N3")
  void a_task_is_notified_until_it_is_done() {
    PendingCall call = open("ada");
    try (var stream = listen("ada", "{\"taskIds\":[\"" + call.id() + "\",\"unknown\"]}")) {
      String ack = stream.until("acknowledged") + stream.until("\n\n");
      assertThat(ack).contains("\"taskIds\":[\"" + call.id() + "\"]").doesNotContain("unknown");

      database(tx ->
          engine().pendingCalls().complete(tx, call.id(), Json.object().put("answer", "yes")));

      // The creation may be notified as well: on PostgreSQL the log is a commit behind.
      stream.until("\"status\":\"completed\"");
      assertThat(stream.until("\n\n"))
          .contains("\"answer\":\"yes\"")
          .contains("\"io.modelcontextprotocol/subscriptionId\":7");
    }
  }

  @Test
  @Requirement("N7")
  void tasks_of_other_principals_are_not_found() {
    PendingCall call = open("ada");

    assertThat(task("ben", "tasks/get", call.id()).at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(task("ben", "tasks/cancel", call.id()).at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(task("ada", "tasks/get", call.id()).at("/result/status").asText())
        .isEqualTo("working");
  }

  @Test
  void arriving_messages_are_notified() {
    try (var stream = listen("ada", "{\"resourceSubscriptions\":[\"substrat://inbox\"]}")) {
      stream.until("acknowledged");

      team.call("mira", "send_message", "{\"recipient\":\"ben\",\"text\":\"not for ada\"}");
      team.call("mira", "send_message", "{\"recipient\":\"ada\",\"text\":\"look\"}");

      assertThat(stream.until("resources/updated") + stream.until("\n\n"))
          .contains("substrat://inbox");
    }
  }

  private PendingCall open(String agent) {
    String owner = engine().agents().require(agent).id().value();
    var opening =
        new PendingCalls.NewPendingCall(
            owner, null, "ask", Json.object(), Json.object(), Duration.ofMinutes(5));
    return engine()
        .dependencies()
        .database()
        .transact(tx -> engine().pendingCalls().open(tx, opening));
  }

  private void database(Database.TransactionBody<Boolean> work) {
    assertThat(engine().dependencies().database().transact(work)).isTrue();
  }

  private Engine engine() {
    return team.daemon.engine();
  }

  private ObjectNode task(String agent, String method, String id) {
    String body = "{\"taskId\":\"%s\",%s}".formatted(id, META);
    return (ObjectNode)
        team.client(agent)
            .post(
                "/mcp",
                McpTeam.request(method, body),
                "MCP-Protocol-Version",
                "2026-07-28",
                "Mcp-Method",
                method,
                "Mcp-Name",
                id)
            .body();
  }

  private RawClient listen(String agent, String wanted) {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"subscriptions/listen\",\"params\":"
            + "{\"notifications\":%s,%s}}".formatted(wanted, META);
    var client = new RawClient(team.daemon.url());
    client.send(
        """
        POST /mcp HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Accept: application/json, text/event-stream
        Content-Type: application/json
        MCP-Protocol-Version: 2026-07-28
        Mcp-Method: subscriptions/listen
        Content-Length: %d

        %s\
        """
            .formatted(team.token(agent), body.getBytes(StandardCharsets.UTF_8).length, body)
            .replaceAll("\n", "\r\n"));
    return client;
  }
}
