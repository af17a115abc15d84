package dev.substrat.mcp.client;

import static dev.substrat.mcp.client.TestMcpClients.call;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Servers that are down, slow, huge or invalid: each call fails with a reason code by its
/// deadline, and other calls are not affected.
@Timeout(300)
@Requirement("S3-51")
final class HostileServerTest {
  private static final String TOO_MUCH = "x".repeat(ServerMessages.MAX_LENGTH);

  private TestMcpClients visits;

  @BeforeEach
  void open() {
    visits = new TestMcpClients();
  }

  @AfterEach
  void close() {
    visits.close();
  }

  static Stream<Arguments> lies() {
    return Stream.of(
        lie("an endless body", FailureReason.TOO_LARGE, turn -> turn.json("\"" + TOO_MUCH + "\"")),
        lie(
            "an endless event",
            FailureReason.TOO_LARGE,
            turn -> turn.events().raw("data: " + TOO_MUCH + "x")),
        lie(
            "a result that nobody could read",
            FailureReason.TOO_LARGE,
            turn -> turn.result(FakeMcpServer.said("x".repeat(1 << 20)))),
        lie(
            "a nest without bottom",
            FailureReason.PROTOCOL,
            turn -> turn.json("[".repeat(100_000) + "]".repeat(100_000))),
        lie("no JSON", FailureReason.PROTOCOL, turn -> turn.json("<html>")),
        lie(
            "no JSON in an event",
            FailureReason.PROTOCOL,
            turn -> turn.events().raw("data: <p>\n\n")),
        lie("nothing", FailureReason.PROTOCOL, turn -> turn.status(200, "")),
        lie(
            "the answer to something else",
            FailureReason.PROTOCOL,
            turn -> turn.json("{\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{\"content\":[]}}")),
        lie(
            "its own question as an answer",
            FailureReason.PROTOCOL,
            turn -> turn.json("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")),
        lie(
            "a result that is none",
            FailureReason.PROTOCOL,
            turn -> turn.json("{\"jsonrpc\":\"2.0\",\"id\":" + turn.id() + ",\"result\":7}")),
        lie("a result without content", FailureReason.PROTOCOL, turn -> turn.result(Json.object())),
        lie(
            "a task that nobody agreed on",
            FailureReason.PROTOCOL,
            turn -> turn.result(Json.object().put("resultType", "task"))),
        lie(
            "only the answer to something else in a stream",
            FailureReason.CLOSED,
            turn -> turn.events().raw("data: {\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{}}\n\n")),
        lie("an error", FailureReason.REFUSED, turn -> turn.status(500, "hush-hush")),
        lie(
            "an error in the protocol's words",
            FailureReason.REFUSED,
            turn -> turn.json(Json.text(FakeMcpServer.error(turn.id(), -32602, "no such place")))));
  }

  private static Arguments lie(String what, FailureReason reason, FakeMcpServer.Reaction reaction) {
    return Arguments.argumentSet(what, reason, reaction);
  }

  @ParameterizedTest
  @MethodSource("lies")
  void every_invalid_server_message_has_an_error_code(
      FailureReason reason, FakeMcpServer.Reaction lie) {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on("tools/call", lie);
      RemoteFailure failure = TestMcpClients.failure(() -> call(client));
      assertThat(failure.reason()).as(failure.getMessage()).isEqualTo(reason);
      assertThat(failure.fault("strange").code()).isEqualTo(ErrorCode.UPSTREAM_ERROR);

      server.on("tools/call", turn -> turn.result(FakeMcpServer.said("sorry")));
      assertThat(TestMcpClients.text(call(client))).isEqualTo("sorry");
    }
  }

  @Test
  void a_silent_or_slow_server_times_out() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      var over = new CountDownLatch(1);
      server.on("tools/call", _ -> await(over));
      assertThat(impatient(client).reason()).isEqualTo(FailureReason.TIMED_OUT);
      server.on(
          "tools/call",
          turn -> {
            var events = turn.events();
            while (over.getCount() > 0) {
              events.raw(": ");
            }
          });
      assertThat(impatient(client).reason()).isEqualTo(FailureReason.TIMED_OUT);
      assertThat(impatient(client).fault("strange").code()).isEqualTo(ErrorCode.TIMEOUT);
      over.countDown();
    }
  }

  private static RemoteFailure impatient(McpClient client) {
    var manner = new McpClient.CallOptions(RemoteProgress.IGNORED, Duration.ofMillis(300), null);
    return TestMcpClients.failure(
        () -> client.callTool(TestMcpClients.WEATHER, Json.object(), manner));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_server_that_never_initializes_times_out() {
    try (var server = FakeMcpServer.modern()) {
      var over = new CountDownLatch(1);
      server.on("server/discover", _ -> await(over));
      server.on("initialize", _ -> await(over));
      var address = new ServerAddress.HttpAddress(server.url(), Map.of());
      assertThat(visits.failure(address, Duration.ofMillis(500)).reason())
          .isEqualTo(FailureReason.TIMED_OUT);
      over.countDown();
    }
  }

  @Test
  void unreachable_and_blocked_servers_have_different_errors() {
    String gone;
    try (var server = FakeMcpServer.modern()) {
      gone = server.url();
    }
    assertThat(TestMcpClients.failure(() -> visits.to(gone)).reason())
        .isEqualTo(FailureReason.UNREACHABLE);
    for (String url : List.of("https://10.0.0.1/mcp", "http://10.0.0.1/mcp", "http://1.1.1.1/")) {
      RemoteFailure blocked = TestMcpClients.failure(() -> visits.to(url));
      assertThat(blocked.reason()).as(url).isEqualTo(FailureReason.BLOCKED);
      assertThat(blocked.fault("x").code()).isEqualTo(ErrorCode.ADDRESS_BLOCKED);
    }
  }

  @Test
  void an_unauthorized_response_is_not_retried_with_another_era() {
    try (var server = FakeMcpServer.modern()) {
      server.on("server/discover", turn -> turn.status(401, "who is hush?"));
      assertThat(TestMcpClients.failure(() -> visits.to(server))).hasMessageContaining("401");
      assertThat(server.heard()).hasSize(1);
    }
  }

  @Test
  void an_endless_tool_list_is_read_up_to_a_limit() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on(
          "tools/list",
          turn -> {
            var page = Json.object().put("nextCursor", "more");
            page.putArray("tools");
            turn.result(page);
          });
      assertThat(listing(client).reason()).isEqualTo(FailureReason.TOO_LARGE);
      assertThat(server.count("tools/list")).isLessThanOrEqualTo(100);

      server.on("tools/list", turn -> turn.result(list(501, "short")));
      assertThat(listing(client).reason()).isEqualTo(FailureReason.TOO_LARGE);
      server.on("tools/list", turn -> turn.result(list(50, "x".repeat(60_000))));
      assertThat(listing(client).reason()).isEqualTo(FailureReason.TOO_LARGE);
      server.on("tools/list", turn -> turn.result(list(500, "short")));
      assertThat(client.listTools(TestMcpClients.PATIENCE)).hasSize(500);
    }
  }

  private static RemoteFailure listing(McpClient client) {
    return TestMcpClients.failure(() -> client.listTools(TestMcpClients.PATIENCE));
  }

  private static ObjectNode list(int many, String description) {
    var list = Json.object();
    var tools = list.putArray("tools");
    IntStream.range(0, many).forEach(i -> tools.add(FakeMcpServer.tool("tool" + i, description)));
    return list;
  }

  @Test
  void an_invalid_tool_is_ignored_and_the_others_are_kept() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      var listless = FakeMcpServer.tool("listless", "");
      listless.putObject("inputSchema").put("type", "array");
      var mirrored = FakeMcpServer.tool("mirrored", "");
      mirrored
          .withObject("/inputSchema/properties/secret")
          .put("type", "object")
          .put("x-mcp-header", "Secret");
      server.offers(
          FakeMcpServer.tool("", ""),
          FakeMcpServer.tool("line\nbreak", ""),
          FakeMcpServer.tool("x".repeat(129), ""),
          FakeMcpServer.tool("huge", "x".repeat(70_000)),
          Json.object().put("name", "bare"),
          FakeMcpServer.tool("deaf", "").put("description", 7),
          listless,
          mirrored,
          FakeMcpServer.tool("weather", "Tells the weather.").put("icons", "whatever"));
      assertThat(client.listTools(TestMcpClients.PATIENCE)).containsExactly(TestMcpClients.WEATHER);

      server.offers(FakeMcpServer.tool("twice", "a"), FakeMcpServer.tool("twice", "b"));
      assertThat(listing(client).reason()).isEqualTo(FailureReason.PROTOCOL);
    }
  }

  @Test
  void unknown_progress_and_notifications_are_ignored() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on(
          "tools/call",
          turn -> {
            var events = turn.events();
            for (int i = 0; i < 1_000; i++) {
              var params = Json.object().put("progressToken", i).put("progress", "much");
              events.send(JsonRpc.notification("notifications/progress", params));
              events.raw("data: [1]\n\ndata: 7\n\ndata: {}\n\n");
            }
            events.send(JsonRpc.result(turn.id(), FakeMcpServer.said("well")));
          });
      assertThat(TestMcpClients.text(call(client))).isEqualTo("well");
    }
  }

  @Test
  void answers_to_endless_server_requests_are_limited_in_concurrency() {
    try (var server = FakeMcpServer.legacy("2025-11-25");
        var client = visits.to(server)) {
      var over = new CountDownLatch(1);
      server.on(
          "POST",
          turn -> {
            await(over);
            turn.status(202, "");
          });
      server.on("tools/call", turn -> answer(turn, 500));
      assertThat(TestMcpClients.text(call(client))).isEqualTo("well");
      Await.until(() -> server.count("POST") >= 16);
      over.countDown();

      server.on("tools/call", turn -> answer(turn, 1));
      int before = server.count("POST");
      Await.until(() -> {
        assertThat(TestMcpClients.text(call(client))).isEqualTo("well");
        return server.count("POST") > before;
      });
      assertThat(before).as("answers to 500 questions").isEqualTo(16);
    }
  }

  /// Sends that many requests before its answer.
  private static void answer(FakeMcpServer.Turn turn, int questions) throws IOException {
    var events = turn.events();
    for (int i = 0; i < questions; i++) {
      events.send(JsonRpc.request(new TextNode("q" + i), "ping", Json.object()));
    }
    events.send(JsonRpc.result(turn.id(), FakeMcpServer.said("well")));
  }

  @Test
  void characters_that_databases_cannot_store_are_replaced() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on(
          "tools/call",
          turn ->
              turn.json(
                  "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\u0000b\\ud800\"}]}}"
                      .formatted(turn.id())));
      assertThat(TestMcpClients.text(call(client))).isEqualTo("a\uFFFDb\uFFFD");
    }
  }
}
