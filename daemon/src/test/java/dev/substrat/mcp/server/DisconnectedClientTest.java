package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.conformance.FixtureServer;
import dev.substrat.http.server.RawClient;
import dev.substrat.server.TestClient;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Clients that disconnect, and clients that lose their access.
@Timeout(300)
final class DisconnectedClientTest {
  private static final String FOLLOWING = "dev.substrat.mcp.server.ChangeStream.follow";
  private static final String ASKING = "dev.substrat.mcp.server.LegacyProtocol$ServerRequests.ask";

  private static final String LISTEN =
      """
      {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},\
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":{}}}}\
      """;
  private static final String ASK =
      McpTeam.request(
          "tools/call", "{\"name\":\"test_elicitation\",\"arguments\":{\"message\":\"?\"}}");

  /// All three kinds of streams at once: the protocol gives two seconds.
  @Test
  @Requirement("N3")
  void a_disconnect_is_noticed_within_two_seconds(@TempDir Path directory) throws Exception {
    try (var server = new FixtureServer(directory)) {
      String url = server.url().replace("/mcp", "");
      try (var client = new TestClient(url, "")) {
        String session =
            client
                .post(
                    "/mcp",
                    McpTeam.request("initialize", "{\"capabilities\":{\"elicitation\":{}}}"))
                .header("Mcp-Session-Id");
        try (var get = new RawClient(url);
            var listen = new RawClient(url);
            var call = new RawClient(url)) {
          get.send(head("GET", "Mcp-Session-Id: " + session, ""));
          listen.send(
              head(
                  "POST",
                  "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen",
                  LISTEN));
          call.send(head("POST", "Mcp-Session-Id: " + session, ASK));
          get.until(": listening\n");
          listen.until("subscriptions/acknowledged");
          call.until("elicitation/create");
          assertThat(LeakProbe.threads(FOLLOWING)).as("open streams").isPositive();
          assertThat(LeakProbe.threads(ASKING)).as("calls that wait for the client").isPositive();
        }
      }

      double seconds =
          LeakProbe.secondsUntil(
              () -> LeakProbe.threads(FOLLOWING) + LeakProbe.threads(ASKING), 0, 60);

      // Without detection, the requests end after five minutes.
      assertThat(seconds).isLessThan(60);
      LeakProbe.secondsUntil(() -> LeakProbe.sockets(url), 0, 60);
    }
  }

  @Test
  void a_revoked_token_loses_its_open_streams_within_seconds() throws Exception {
    try (var place = TestDatabase.fresh(Dialect.SQLITE);
        var team = new McpTeam(place);
        var get = new RawClient(team.daemon.url());
        var listen = new RawClient(team.daemon.url());
        var other = new RawClient(team.daemon.url())) {
      String token = team.client("ada").token();
      String bearer = "Authorization: Bearer " + token;
      get.send(head("GET", bearer, ""));
      listen.send(
          head(
              "POST",
              bearer + "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen",
              LISTEN));
      other.send(head("GET", "Authorization: Bearer " + team.client("ben").token(), ""));
      get.until(": listening\n");
      listen.until("subscriptions/acknowledged");
      other.until(": listening\n");

      long start = System.nanoTime();
      team.daemon.delete("/api/tokens/" + token.split("_", 3)[1]);
      get.until("0\r\n\r\n");
      assertThat(listen.until("0\r\n\r\n")).contains("\"resultType\":\"complete\"");

      // Checked every three seconds; without a check, streams never end.
      assertThat((System.nanoTime() - start) / 1e9).isLessThan(60);
      other.until(": \n");
    }
  }

  private static String head(String method, String headers, String body) {
    return method
        + " /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
        + headers
        + "\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n\r\n"
        + body;
  }
}
