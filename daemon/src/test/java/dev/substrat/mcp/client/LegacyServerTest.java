package dev.substrat.mcp.client;

import static dev.substrat.mcp.client.TestMcpClients.call;
import static dev.substrat.mcp.client.TestMcpClients.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our client with servers of the legacy era, which have sessions.
@Timeout(300)
final class LegacyServerTest {
  private static final String NEWEST = "2025-11-25";

  private TestMcpClients visits;

  @BeforeEach
  void open() {
    visits = new TestMcpClients();
  }

  @AfterEach
  void close() {
    visits.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-11-25", "2025-06-18", "2025-03-26"})
  @Requirement("S3-49")
  void each_negotiated_revision_is_used(String revision) {
    try (var server = FakeMcpServer.legacy(revision)) {
      try (var client = visits.to(server)) {
        assertThat(client.revision()).isEqualTo(revision);
        assertThat(client.listTools(TestMcpClients.PATIENCE))
            .containsExactly(TestMcpClients.WEATHER);
        assertThat(text(call(client))).isEqualTo("it rains");
        client.ping(TestMcpClients.PATIENCE);
      }
      assertThat(server.count("notifications/initialized")).isEqualTo(1);
      assertThat(server.last("tools/call").headers())
          .containsEntry("mcp-session-id", "session-1")
          .containsEntry("mcp-protocol-version", revision)
          .containsEntry("authorization", "Bearer hush-hush")
          .doesNotContainKey("mcp-method");
      assertThat(server.last("tools/call").message().at("/params/_meta/progressToken").isNumber())
          .isTrue();
      assertThat(server.last("DELETE").headers()).containsEntry("mcp-session-id", "session-1");
    }
  }

  @Test
  void a_server_without_a_supported_revision_is_rejected() {
    try (var server = FakeMcpServer.legacy("1999-01-01")) {
      assertThat(TestMcpClients.failure(() -> visits.to(server)).reason())
          .isEqualTo(FailureReason.PROTOCOL);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 400})
  void a_lost_session_is_reported_and_the_call_is_not_repeated(int status) {
    try (var server = FakeMcpServer.legacy(NEWEST);
        var client = visits.to(server)) {
      server.on(
          "tools/call",
          turn -> {
            if ("session-1".equals(turn.heard().headers().get("mcp-session-id"))) {
              turn.status(
                  status, Json.text(FakeMcpServer.error(turn.id(), -32000, "unknown session")));
            } else {
              turn.result(FakeMcpServer.said("again"));
            }
          });
      assertThat(TestMcpClients.failure(() -> call(client)).reason())
          .isEqualTo(FailureReason.SESSION_LOST);
      assertThat(server.count("tools/call")).isEqualTo(1);
      assertThat(server.count("initialize")).isEqualTo(1);
    }
  }

  @Test
  void a_broken_stream_is_resumed_after_its_last_event() {
    try (var server = FakeMcpServer.legacy(NEWEST);
        var client = visits.to(server)) {
      var id = new AtomicReference<JsonNode>();
      server.on(
          "tools/call",
          turn -> {
            id.set(turn.id());
            turn.events().raw("id: e1\nretry: 10\ndata:\n\n");
          });
      server.on(
          "GET",
          turn -> {
            if ("e1".equals(turn.heard().headers().get("last-event-id"))) {
              turn.events().send(JsonRpc.result(id.get(), FakeMcpServer.said("at last")));
            } else {
              turn.status(405, "");
            }
          });
      assertThat(text(call(client))).isEqualTo("at last");
    }
  }

  @Test
  void a_stream_that_ends_without_an_answer_is_a_failure() {
    try (var server = FakeMcpServer.legacy(NEWEST);
        var client = visits.to(server)) {
      server.on("tools/call", turn -> turn.events().raw(": nothing\n\n"));
      assertThat(TestMcpClients.failure(() -> call(client)).reason())
          .isEqualTo(FailureReason.CLOSED);
    }
  }

  @Test
  void server_requests_are_rejected_and_pings_are_answered() {
    try (var server = FakeMcpServer.legacy(NEWEST);
        var client = visits.to(server)) {
      var answered = new CountDownLatch(2);
      server.on(
          "POST",
          turn -> {
            answered.countDown();
            turn.status(202, "");
          });
      server.on(
          "tools/call",
          turn -> {
            var events = turn.events();
            events.send(
                JsonRpc.request(new TextNode("q1"), "sampling/createMessage", Json.object()));
            events.send(JsonRpc.request(new TextNode("q2"), "ping", Json.object()));
            await(answered);
            events.send(JsonRpc.result(turn.id(), FakeMcpServer.said("then without")));
          });
      assertThat(text(call(client))).isEqualTo("then without");
      assertThat(server.heard())
          .anySatisfy(one -> {
            assertThat(one.message().path("id").asText()).isEqualTo("q1");
            assertThat(one.message().at("/error/code").asInt()).isEqualTo(-32601);
          })
          .anySatisfy(one -> {
            assertThat(one.message().path("id").asText()).isEqualTo("q2");
            assertThat(one.message().path("result").isObject()).isTrue();
          });
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_timed_out_request_is_cancelled_on_the_server() throws Exception {
    try (var server = FakeMcpServer.legacy(NEWEST);
        var client = visits.to(server)) {
      var over = new CountDownLatch(1);
      server.on("tools/call", _ -> await(over));
      var manner = new McpClient.CallOptions(RemoteProgress.IGNORED, Duration.ofMillis(300), null);
      var failure =
          TestMcpClients.failure(
              () -> client.callTool(TestMcpClients.WEATHER, Json.object(), manner));
      assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
      Await.until(() -> server.count("notifications/cancelled") == 1);
      over.countDown();
      assertThat(server.last("notifications/cancelled").message().at("/params/requestId"))
          .isEqualTo(server.last("tools/call").message().path("id"));
    }
  }

  @Test
  void a_tool_change_is_received_on_the_get_stream() throws Exception {
    try (var server = FakeMcpServer.legacy(NEWEST)) {
      var told = new CountDownLatch(1);
      server.on(
          "GET",
          turn -> {
            var events = turn.events();
            await(told);
            events.send(JsonRpc.notification("notifications/tools/list_changed", Json.object()));
            await(new CountDownLatch(1));
          });
      try (var _ = visits.to(server)) {
        visits.awaitChange(told::countDown);
      }
    }
  }

  @Test
  @Requirement("S3-50")
  void a_get_stream_that_is_temporarily_refused_is_retried() throws Exception {
    try (var server = FakeMcpServer.legacy(NEWEST)) {
      server.on(
          "GET",
          turn -> {
            if (server.count("GET") == 1) {
              turn.status(503, "");
            } else {
              var events = turn.events();
              events.send(JsonRpc.notification("notifications/tools/list_changed", Json.object()));
              await(new CountDownLatch(1));
            }
          });
      try (var _ = visits.to(server)) {
        visits.awaitChange(() -> {});
        Await.until(() -> server.count("GET") == 2);
      }
    }
  }

  @Test
  void the_http_with_sse_transport_of_2024_is_detected_and_used() {
    try (var server = FakeMcpServer.legacy("2024-11-05")) {
      var old = new LegacySseTransport(server, "/messages?session=1");
      try (var client = visits.to(server)) {
        assertThat(client.revision()).isEqualTo("2024-11-05");
        assertThat(client.listTools(TestMcpClients.PATIENCE))
            .containsExactly(TestMcpClients.WEATHER);
        assertThat(text(call(client))).isEqualTo("it rains");
      }
      assertThat(old.isUsed()).isTrue();
    }
  }

  @Test
  void configured_headers_are_sent_only_to_the_configured_server() {
    try (var server = FakeMcpServer.legacy("2024-11-05");
        var thief = FakeMcpServer.legacy(NEWEST)) {
      new LegacySseTransport(server, thief.url());
      var address = new ServerAddress.SseAddress(server.url(), Map.of("Authorization", "hush"));
      assertThat(visits.failure(address, TestMcpClients.PATIENCE).reason())
          .isEqualTo(FailureReason.PROTOCOL);
      assertThat(thief.heard()).isEmpty();
    }
  }
}
