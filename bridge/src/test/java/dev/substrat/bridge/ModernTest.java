package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients of the modern protocol, which has no sessions.
@Requirement("N3")
@Timeout(300)
final class ModernTest {
  private static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}";
  private static final String ACKNOWLEDGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}";
  private static final String CHANGED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

  @TempDir private Path data;

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "tools/call, \"name\":\"send_message\", send_message",
        "prompts/get, \"name\":\"a b\", a b",
        "resources/read, \"uri\":\"file:///x\", file:///x",
        "tasks/get, \"taskId\":\"t-1\", t-1",
        "tools/list, \"name\":\"x\", ``",
        "tools/call, \"name\":\"\\u4e16\u754c\", =?base64?5LiW55WM?=",
        "tools/call, \"name\":\" a\", =?base64?IGE=?=",
        "tools/call, \"name\":\"a\\r\\nX: y\", =?base64?YQ0KWDogeQ==?=",
        "tools/call, \"name\":\"=?base64?x?=\", =?base64?PT9iYXNlNjQ/eD89?=",
      })
  void the_body_is_mirrored_in_the_headers(String method, String subject, String header)
      throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().request(1, method, "{" + subject + "," + META + "}");
      var asked = daemon.next(method);
      assertThat(asked.header("MCP-Protocol-Version")).isEqualTo("2026-07-28");
      assertThat(asked.header("Mcp-Method")).isEqualTo(method);
      assertThat(asked.header("Mcp-Name")).isEqualTo(header);
      assertThat(asked.header("Mcp-Session-Id")).isEmpty();
      assertThat(asked.header("X")).isEmpty();
      asked.answers("{\"resultType\":\"complete\"}");
      bridge.pipe().answer(1);
    }
  }

  @Test
  void cancelling_closes_the_stream_and_is_not_passed_on() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.request("a", "tools/call", "{\"name\":\"slow\"," + META + "}");
      var slow = daemon.next("tools/call").streams();
      pipe.say(
          "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\","
              + META
              + "}}");
      slow.awaitClosed();
      pipe.request("b", "tools/list", "{" + META + "}");
      daemon.next("tools/list").answers("{}");
      pipe.answer("b");
      pipe.end();
      assertThat(pipe.rest()).isEmpty();
    }
  }

  @Test
  void a_subscription_continues_with_the_next_daemon() throws Exception {
    try (var bridge = new InProcessBridge(data)) {
      var pipe = bridge.pipe();
      pipe.request(1, "subscriptions/listen", "{\"notifications\":{}," + META + "}");
      try (var daemon = new FakeSocketDaemon(data, "one.sock")) {
        daemon.next("subscriptions/listen").streams().event(ACKNOWLEDGED).event(CHANGED);
        pipe.notification("notifications/subscriptions/acknowledged");
        pipe.notification("notifications/tools/list_changed");
      }
      try (var daemon = new FakeSocketDaemon(data, "two.sock")) {
        // A daemon that stops normally ends the subscription; the client is not notified.
        daemon
            .next("subscriptions/listen")
            .streams()
            .event(ACKNOWLEDGED)
            .result("{\"resultType\":\"complete\"}");
        daemon.next("subscriptions/listen").streams().event(ACKNOWLEDGED).event(CHANGED);
        pipe.notification("notifications/tools/list_changed");
        pipe.end();
        assertThat(pipe.rest()).isEmpty();
      }
    }
  }

  @Test
  void a_refused_subscription_is_reported() throws Exception {
    try (var daemon = new FakeSocketDaemon(data, "one.sock");
        var bridge = new InProcessBridge(data)) {
      bridge.pipe().request(1, "subscriptions/listen", "{" + META + "}");
      daemon
          .next("subscriptions/listen")
          .status(400, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32602,\"message\":\"what?\"}}");
      assertThat(bridge.pipe().answer(1).at("/error/code").asInt()).isEqualTo(-32602);
    }
  }
}
