package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients of the legacy protocol, which have a session.
@Requirement("N3")
@Timeout(300)
final class LegacyTest {
  @TempDir private Path data;

  @Test
  void a_session_id_is_sent_with_every_request_and_closed_at_the_end() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock")) {
      try (var bridge = new InProcessBridge(data)) {
        var pipe = bridge.pipe();
        pipe.say(McpPipe.INITIALIZE);
        var first = daemon.next("initialize");
        assertThat(first.body()).isEqualTo(McpPipe.INITIALIZE);
        assertThat(first.line()).isEqualTo("POST /mcp HTTP/1.1");
        assertThat(first.header("Host")).isEqualTo("localhost");
        assertThat(first.header("Authorization")).isEqualTo("Bearer substrat_id_secret");
        assertThat(first.header("Accept")).isEqualTo("application/json, text/event-stream");
        first.answers("mcp-session-id: s-1", "{\"protocolVersion\":\"2025-06-18\"}");
        pipe.answer("i");

        pipe.say(McpPipe.INITIALIZED);
        var confirmed = daemon.next("notifications/initialized");
        assertThat(confirmed.header("Mcp-Session-Id")).isEqualTo("s-1");
        confirmed.status(202, "");
        var stream = daemon.next("GET");
        assertThat(stream.header("Accept")).isEqualTo("text/event-stream");
        assertThat(stream.header("Mcp-Session-Id")).isEqualTo("s-1");
        stream.streams().event("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/told\"}");
        pipe.notification("notifications/told");

        pipe.request(1, "tools/list", "{}");
        var list = daemon.next("tools/list");
        assertThat(list.header("Mcp-Session-Id")).isEqualTo("s-1");
        assertThat(list.header("MCP-Protocol-Version")).isEqualTo("2025-06-18");
        assertThat(list.header("Mcp-Method")).isEmpty();
        assertThat(list.header("Idempotency-Key")).matches("[0-9a-f]{24}/1");
        list.answers("{\n\"tools\":\r\n[]}");
        assertThat(pipe.answer(1).at("/result/tools").isArray()).isTrue();

        pipe.end();
        var last = daemon.next("DELETE");
        assertThat(last.header("Mcp-Session-Id")).isEqualTo("s-1");
        last.status(204, "");
      }
    }
  }

  @Test
  void messages_before_a_response_are_forwarded_first() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.say(McpPipe.INITIALIZE + "\n" + McpPipe.INITIALIZED);
      daemon.welcome("s-1");
      pipe.call(7, "ask", "{}");
      var call = daemon.next("tools/call").streams();
      call.event("{\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/progress\"}");
      pipe.notification("notifications/progress");
      call.event("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\"}");
      pipe.notification("elicitation/create");

      pipe.say("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"decline\"}}");
      var response = daemon.next();
      assertThat(response.json().at("/result/action").asText()).isEqualTo("decline");
      assertThat(response.header("Mcp-Session-Id")).isEqualTo("s-1");
      response.status(202, "");
      call.result("{\"content\":[]}");
      assertThat(pipe.answer(7).has("result")).isTrue();
    }
  }

  @Test
  void an_unknown_session_is_renewed_transparently() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.say(McpPipe.INITIALIZE + "\n" + McpPipe.INITIALIZED);
      daemon.welcome("s-1");
      pipe.answer("i");
      pipe.request(1, "tools/list", "{}");
      String key = refuseSession(daemon, "tools/list");
      daemon
          .next("initialize")
          .answers("Mcp-Session-Id: s-2", "{\"protocolVersion\":\"2025-11-25\"}");
      var confirmed = daemon.next("notifications/initialized");
      assertThat(confirmed.header("Mcp-Session-Id")).isEqualTo("s-2");
      confirmed.status(202, "");
      var again = daemon.next("tools/list");
      assertThat(again.header("Mcp-Session-Id")).isEqualTo("s-2");
      assertThat(again.header("MCP-Protocol-Version")).isEqualTo("2025-11-25");
      assertThat(again.header("Idempotency-Key")).isEqualTo(key);
      again.answers("{}");
      assertThat(pipe.answer(1).has("result")).isTrue();
      pipe.end();
      daemon.next("DELETE").status(204, "");
      assertThat(pipe.rest()).isEmpty();
    }
  }

  @Test
  void a_session_refused_twice_is_reported() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.say(McpPipe.INITIALIZE + "\n" + McpPipe.INITIALIZED);
      daemon.welcome("s-1");
      pipe.request(1, "tools/list", "{}");
      refuseSession(daemon, "tools/list");
      daemon.next("initialize").answers("Mcp-Session-Id: s-2", "{}");
      daemon.next("notifications/initialized").status(202, "");
      refuseSession(daemon, "tools/list");
      assertThat(pipe.answer(1).at("/error/message").asText()).isEqualTo("no such session");
    }
  }

  private static String refuseSession(FakeSocketDaemon daemon, String method) throws Exception {
    var asked = daemon.next(method);
    asked.status(
        404,
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"no such session\"}}");
    return asked.header("Idempotency-Key");
  }

  @Test
  void an_unknown_method_is_answered_with_an_error() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.say(McpPipe.INITIALIZE + "\n" + McpPipe.INITIALIZED);
      daemon.welcome("s-1");
      pipe.request("x", "foo/bar", "{}");
      daemon
          .next("foo/bar")
          .status(
              404,
              "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32601,\"message\":\"no\"}}");
      assertThat(pipe.answer("x").at("/error/code").asInt()).isEqualTo(-32601);
    }
  }

  /// The daemon may not respond to a cancelled request; it is not sent again.
  @Test
  void a_cancellation_is_passed_on_and_ends_the_request() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.say(McpPipe.INITIALIZE + "\n" + McpPipe.INITIALIZED);
      daemon.welcome("s-1");
      pipe.answer("i");
      pipe.call(1, "slow", "{}");
      var slow = daemon.next("tools/call").streams();
      pipe.say(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
      var cancelled = daemon.next("notifications/cancelled");
      assertThat(cancelled.header("Mcp-Session-Id")).isEqualTo("s-1");
      cancelled.status(202, "");
      slow.endStream();
      pipe.end();
      daemon.next("DELETE").status(204, "");
      assertThat(pipe.rest()).isEmpty();
    }
  }

  @Test
  void the_bridge_answers_initialize_without_a_daemon_and_initializes_it_later() throws Exception {
    try (var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      JsonNode alone = pipe.greet();
      assertThat(alone.at("/result/protocolVersion").asText()).isEqualTo("2025-06-18");
      assertThat(alone.at("/result/serverInfo/name").asText()).isEqualTo("substrat");
      assertThat(alone.at("/result/capabilities/tools/listChanged").asBoolean()).isTrue();
      pipe.request(1, "ping", "{}");
      assertThat(pipe.answer(1).at("/result").isObject()).isTrue();
      pipe.request(2, "tools/list", "{}");
      try (var daemon = new FakeSocketDaemon(data, "one.sock")) {
        daemon.next("initialize").answers("Mcp-Session-Id: s-1", "{}");
        daemon.next("notifications/initialized").status(202, "");
        pipe.notification("notifications/tools/list_changed");
        for (int i = 0; i < 2; i++) {
          var asked = daemon.next();
          assertThat(asked.header("Mcp-Session-Id")).isEqualTo("s-1");
          if (asked.method().equals("tools/list")) {
            asked.answers("{}");
          } else {
            asked.status(405, "");
          }
        }
        pipe.answer(2);
      }
    }
  }

  @Test
  void an_unknown_protocol_version_becomes_the_newest() throws Exception {
    try (var bridge = new InProcessBridge(data)) {
      bridge.pipe().say(McpPipe.INITIALIZE.replace("2025-06-18", "1999-01-01"));
      assertThat(bridge.pipe().answer("i").at("/result/protocolVersion").asText())
          .isEqualTo("2025-11-25");
    }
  }

  @Test
  void a_request_without_a_daemon_fails_within_ten_seconds_with_a_hint() throws Exception {
    try (var bridge = new InProcessBridge(data, BridgeTimeouts.USUAL)) {
      assertThat(bridge.pipe().greet().has("result")).as("initialize needs no daemon").isTrue();
      long start = System.nanoTime();
      bridge.pipe().request(1, "tools/list", "{}");
      bridge.pipe().call(2, "send_message", "{}");

      JsonNode error = bridge.pipe().answer(1).path("error");
      JsonNode ofCall = bridge.pipe().answer(2).path("error");

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      assertThat(ofCall).isEqualTo(error);
      assertThat(error.at("/data/code").asText()).isEqualTo("DAEMON_UNREACHABLE");
      assertThat(error.path("message").asText())
          .contains(
              "no Substrat daemon is running for the data directory " + data,
              "`./substrat up --data " + data + "`",
              "`./substrat status --data " + data + "`",
              "--data DIR");
    }
  }

  @Test
  void a_request_is_retried_with_the_same_key_after_any_restart() throws Exception {
    try (var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      String key;
      try (var daemon = new FakeSocketDaemon(data, "one.sock")) {
        pipe.call(1, "send_message", "{}");
        key = daemon.next("tools/call").header("Idempotency-Key");
      }
      try (var daemon = new FakeSocketDaemon(data, "two.sock")) {
        var again = daemon.next("tools/call");
        assertThat(again.header("Idempotency-Key")).isEqualTo(key);
        again.answers("{}");
        pipe.answer(1);
      }
    }
  }

  @Test
  void a_request_to_a_stopping_daemon_is_sent_to_the_next() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().call(1, "send_message", "{}");
      daemon
          .next("tools/call")
          .status(503, "{\"error\":true,\"code\":\"STOPPING\",\"message\":\"stopping\"}");
      daemon
          .next("tools/call")
          .status(
              200,
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"stopping\","
                  + "\"data\":{\"code\":\"STOPPING\"}}}");
      daemon.next("tools/call").answers("{}");
      assertThat(bridge.pipe().answer(1).has("result")).isTrue();
    }
  }

  @Test
  void a_request_that_always_breaks_the_connection_fails() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().call(1, "poison", "{}");
      for (int i = 0; i < 6; i++) {
        daemon.next("tools/call").drops();
      }
      assertThat(bridge.pipe().answer(1).at("/error/message").asText()).contains("broke");
    }
  }

  @Test
  void a_revoked_token_is_reported_immediately() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().request(1, "tools/list", "{}");
      daemon.next("tools/list").status(401, "{\"error\":true,\"code\":\"UNAUTHORIZED\"}");
      assertThat(bridge.pipe().answer(1).at("/error/message").asText()).contains("revoked");
    }
  }

  @Test
  void errors_of_the_daemon_become_json_rpc_errors() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().request(1, "tools/list", "{}");
      daemon
          .next("tools/list")
          .status(
              413,
              "{\"error\":true,\"code\":\"TOO_LARGE\",\"message\":\"too \\\"big\\\"\",\"hint\":\"less\"}");
      JsonNode error = bridge.pipe().answer(1).path("error");
      assertThat(error.path("message").asText()).isEqualTo("too \"big\"; less");
      assertThat(error.at("/data/code").asText()).isEqualTo("TOO_LARGE");
    }
  }
}
