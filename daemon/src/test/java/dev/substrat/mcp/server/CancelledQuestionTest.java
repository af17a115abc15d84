package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.conformance.FixtureServer;
import dev.substrat.http.server.RawClient;
import dev.substrat.server.TestClient;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A call that waits for its client's answer can be cancelled like any other, by its sender.
@Requirement("S0-5")
@Timeout(300)
final class CancelledQuestionTest {
  private static final String HELLO =
      McpTeam.request("initialize", "{\"capabilities\":{\"elicitation\":{}}}");
  private static final String ASK =
      """
      {"jsonrpc":"2.0","id":7,"method":"tools/call",\
      "params":{"name":"test_elicitation","arguments":{"message":"?"}}}\
      """;
  private static final String TAKEN =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}";
  private static final Pattern QUESTION = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

  @Test
  void a_question_is_cancelled_only_by_the_session_that_asked_it(@TempDir Path directory) {
    try (var server = new FixtureServer(directory)) {
      String url = server.url().replace("/mcp", "");
      try (var client = new TestClient(url, "");
          var first = new RawClient(url);
          var second = new RawClient(url)) {
        String hers = client.post("/mcp", HELLO).header("Mcp-Session-Id");
        String others = client.post("/mcp", HELLO).header("Mcp-Session-Id");
        first.send(call(hers));
        second.send(call(others));
        first.until("elicitation/create");
        String asked = second.until("\n\n");

        client.post("/mcp", TAKEN, "Mcp-Session-Id", hers);
        assertThat(first.until("0\r\n\r\n")).doesNotContain("\"result\"");

        var question = QUESTION.matcher(asked);
        assertThat(question.find()).as(asked).isTrue();
        client.post(
            "/mcp",
            """
            {"jsonrpc":"2.0","id":"%s","result":{"action":"accept","content":{}}}\
            """
                .formatted(question.group(1)),
            "Mcp-Session-Id",
            others);
        assertThat(second.until("0\r\n\r\n")).contains("\"id\":7,\"result\"");
      }
    }
  }

  private static String call(String session) {
    return """
    POST /mcp HTTP/1.1
    Host: localhost
    Accept: application/json, text/event-stream
    Mcp-Session-Id: %s
    Content-Length: %d

    """
            .formatted(session, ASK.length())
            .replace("\n", "\r\n")
        + ASK;
  }
}
