package dev.substrat.server.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Progress notifications to MCP clients with a progress token.
@Requirement({"S3-53", "A9"})
@Timeout(300)
final class ProgressNotificationsTest {
  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call",
       "params":{"name":"job","arguments":{},"_meta":{"progressToken":"t"}}}
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.reaching(place, Map.of());
  private final HttpServer service;

  ProgressNotificationsTest() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.start();
  }

  @AfterEach
  void close() throws IOException {
    service.stop(0);
    daemon.close();
    place.close();
  }

  private List<String> messages(String lines) throws Exception {
    service.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(lines.getBytes(UTF_8));
          }
        });
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"ada","provider":{"name":"external"},"tools":[{"name":"job",
             "description":"Works.","executionType":"internal",
             "execution":{"url":"http://127.0.0.1:%d/"}}]}
            """
                .formatted(service.getAddress().getPort()));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    String token = daemon.post("/api/agents/ada/tokens", "{}").text("token");
    var request =
        HttpRequest.newBuilder(URI.create(daemon.url() + "/mcp"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(CALL))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith("data:"))
          .map(line -> Json.own(line.substring("data:".length())))
          .filter(message -> message.path("method").asText().equals("notifications/progress"))
          .map(message -> message.at("/params/message").asText())
          .toList();
    }
  }

  @Test
  void a_message_is_the_text_the_status_or_the_object() throws Exception {
    JsonNode plain = Json.own("{\"rows\":[1,2],\"done\":false}");
    assertThat(
            messages(
                """
                {"status":"loading","text":"half of it"}
                {"status":"loading"}
                %s
                {"text":{"of":1}}
                {"text":"","n":1}
                7
                """
                    .formatted(plain)))
        .containsExactly(
            "half of it",
            "loading",
            Json.text(plain),
            "{\"text\":{\"of\":1}}",
            "{\"text\":\"\",\"n\":1}",
            "{\"value\":7}");
  }

  @Test
  void a_long_message_is_cut() throws Exception {
    assertThat(
            messages(
                "{\"row\":\"%s\"}\n{\"text\":\"%s\"}\n"
                    .formatted("a".repeat(5_000), "b".repeat(5_000))))
        .allSatisfy(message -> assertThat(message).hasSize(1_001).endsWith("…"))
        .extracting(message -> message.substring(0, 9))
        .containsExactly("{\"row\":\"a", "b".repeat(9));
  }
}
