package dev.substrat.mcp.server;

import static dev.substrat.mcp.client.FakeMcpServer.said;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A cancelled request is cancelled upstream, too. The server has five minutes for a call, so that
/// nothing else ends one here.
@Requirement({"S3-51", "S0-5"})
@Timeout(300)
final class CancelledRequestTest {
  private static final String WEATHER =
      request(7, "tools/call", "{\"name\":\"weather\",\"arguments\":{}}");
  private static final String LIST = request(1, "tools/list", "{}");

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.reaching(place, Map.of());
  private final FakeMcpServer server = FakeMcpServer.legacy("2025-11-25");
  private final CountDownLatch over = new CountDownLatch(1);
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String token;

  @BeforeEach
  void meet() {
    var made =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"external"},
             "mcp":{"servers":[{"name":"met","url":"%s","timeout":300000}]}}\
            """
                .formatted(server.url()));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    token = daemon.post("/api/agents/ada/tokens", "{}").text("token");
    Await.until(() -> daemon.get("/api/tools?agent=ada").body().toString().contains("\"weather\""));
  }

  @AfterEach
  void close() throws IOException {
    over.countDown();
    http.close();
    daemon.close();
    server.close();
    place.close();
  }

  private HttpRequest.Builder post(String body) {
    return HttpRequest.newBuilder(URI.create(daemon.url() + "/mcp"))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .POST(BodyPublishers.ofString(body));
  }

  private static String request(int id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
        .formatted(id, method, params);
  }

  private String session() throws Exception {
    String greeting =
        request(1, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}");
    return http.send(post(greeting).build(), BodyHandlers.ofString())
        .headers()
        .firstValue("Mcp-Session-Id")
        .orElseThrow();
  }

  @Test
  void a_request_is_cancelled_by_its_sender() throws Exception {
    server.on(
        "tools/call",
        turn -> {
          await(over);
          turn.result(said("it rains"));
        });
    String hers = session();
    String others = session();
    var first =
        http.sendAsync(
            post(WEATHER).header("Mcp-Session-Id", hers).build(), BodyHandlers.ofString());
    Await.until(() -> server.count("tools/call") == 1);
    var second =
        http.sendAsync(
            post(WEATHER).header("Mcp-Session-Id", others).build(), BodyHandlers.ofString());
    Await.until(() -> server.count("tools/call") == 2);

    String taken =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}";
    http.send(post(taken).header("Mcp-Session-Id", hers).build(), BodyHandlers.discarding());
    assertThat(first.get().body()).as("no request waits for an answer").doesNotContain("result");
    Await.until(() -> server.count("notifications/cancelled") == 1);
    var cancelled =
        server.heard().stream()
            .filter(one -> one.method().equals("notifications/cancelled"))
            .findFirst()
            .orElseThrow();
    assertThat(cancelled.message().at("/params/requestId"))
        .isEqualTo(
            server.heard().stream()
                .filter(one -> one.method().equals("tools/call"))
                .findFirst()
                .orElseThrow()
                .message()
                .path("id"));
    over.countDown();
    assertThat(second.get().body()).as("the other's is another").contains("it rains");
    assertThat(server.count("notifications/cancelled")).isEqualTo(1);
  }

  /// Others may have the same token, and count from 1 as well.
  @Test
  void without_a_session_a_client_cannot_cancel_requests_of_another() throws Exception {
    server.on(
        "tools/call",
        turn -> {
          await(over);
          turn.result(said("it rains"));
        });
    var hers = http.sendAsync(post(WEATHER).build(), BodyHandlers.ofString());
    Await.until(() -> server.count("tools/call") == 1);

    String taken =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}";
    assertThat(http.send(post(taken).build(), BodyHandlers.discarding()).statusCode())
        .isEqualTo(202);
    over.countDown();

    assertThat(hers.get().body()).contains("it rains");
  }

  @Test
  void requests_of_a_revoked_token_are_cancelled() throws Exception {
    server.on("tools/call", _ -> await(over));
    var call = http.sendAsync(post(WEATHER).build(), BodyHandlers.discarding());
    Await.until(() -> server.count("tools/call") == 1);

    daemon.delete("/api/tokens/" + token.split("_", 3)[1]);

    Await.until(() -> server.count("notifications/cancelled") == 1);
    call.cancel(true);
  }

  /// The client program is dead; another process may keep its connection open.
  @Test
  void requests_of_a_cancelled_turn_are_cancelled() throws Exception {
    server.on("tools/call", _ -> await(over));
    String servers =
        "\"mcp\":{\"servers\":[{\"name\":\"met\",\"url\":\"%s\",\"timeout\":300000}]},"
            .formatted(server.url());
    try (var turn = HeldTurn.begin(daemon, "ada", servers)) {
      Await.until(() -> turn.client().post("/mcp", LIST).body().toString().contains("weather"));
      token = turn.client().token();
      var call = http.sendAsync(post(WEATHER).build(), BodyHandlers.discarding());
      Await.until(() -> server.count("tools/call") == 1);

      daemon.post("/api/runs/" + turn.run() + "/cancel", "");

      Await.until(() -> server.count("notifications/cancelled") == 1);
      call.cancel(true);
    }
  }

  @Test
  void a_disconnect_cancels_the_request_in_the_modern_era() throws Exception {
    server.on(
        "tools/call",
        turn -> {
          var events = turn.events();
          var params = Json.object().put("progress", 1).put("message", "so far");
          params.set("progressToken", turn.params().at("/_meta/progressToken"));
          events.send(JsonRpc.notification("notifications/progress", params));
          await(over);
        });
    try (var socket = callInTheModernEra()) {
      var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(lines.lines().anyMatch(line -> line.contains("so far"))).isTrue();
    }
    Await.until(() -> server.count("notifications/cancelled") == 1);
  }

  @Test
  void a_disconnect_before_the_first_event_cancels_the_request() throws Exception {
    server.on("tools/call", _ -> await(over));
    long start;
    try (var _ = callInTheModernEra()) {
      Await.until(() -> server.count("tools/call") == 1);
      start = System.nanoTime();
    }
    Await.until(() -> server.count("notifications/cancelled") == 1);
    assertThat((System.nanoTime() - start) / 1e9).isLessThan(30);
  }

  @Test
  void a_slow_request_is_answered_on_a_stream() throws Exception {
    server.on(
        "tools/call",
        turn -> {
          await(over);
          turn.result(said("it rains"));
        });
    try (var socket = callInTheModernEra()) {
      var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      assertThat(lines.lines().anyMatch(line -> line.equals(": still working"))).isTrue();
      over.countDown();
      assertThat(lines.lines().anyMatch(line -> line.contains("it rains"))).isTrue();
    }
  }

  private Socket callInTheModernEra() throws IOException {
    String call =
        request(
            7,
            "tools/call",
            """
            {"name":"weather","arguments":{},"_meta":{"progressToken":"t",
             "io.modelcontextprotocol/protocolVersion":"2026-07-28",
             "io.modelcontextprotocol/clientCapabilities":{}}}\
            """);
    URI here = URI.create(daemon.url());
    String head =
        """
        POST /mcp HTTP/1.1
        Host: %s
        Authorization: Bearer %s
        Content-Type: application/json
        Accept: application/json, text/event-stream
        MCP-Protocol-Version: 2026-07-28
        Mcp-Method: tools/call
        Mcp-Name: weather
        Content-Length: %d

        """
            .formatted(here.getAuthority(), token, call.getBytes(UTF_8).length)
            .replace("\n", "\r\n");
    var socket = new Socket(here.getHost(), here.getPort());
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write((head + call).getBytes(UTF_8));
    return socket;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
