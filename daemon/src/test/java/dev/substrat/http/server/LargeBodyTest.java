package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bodies above the limit: rejected before they are read, and discarded without being parsed as
/// requests.
@Timeout(300)
final class LargeBodyTest {
  private static final int HUNDRED_MEGABYTES = 100 * 1024 * 1024;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_content_length_over_the_limit_is_rejected_before_the_body_arrives() {
    long start = System.nanoTime();
    try (var client = new RawClient(daemon.url())) {
      client.send(head("POST /api/agents", "Content-Length: " + HUNDRED_MEGABYTES));
      assertThat(client.until("}"))
          .contains(" 413 ", "TOO_LARGE", "Connection: close", "larger than 4 MiB");
      // A server that waits for the body gives up after 30 seconds.
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
      assertThat(client.rest()).isEmpty();
    }
    assertIsFine();
  }

  @Test
  void a_client_that_sends_the_whole_body_anyway_reads_the_response() {
    var body = new byte[HUNDRED_MEGABYTES];
    Problems.require(daemon.client().send("POST", "/api/agents", body), 413, "TOO_LARGE");
    Problems.require(daemon.as("").send("POST", "/api/agents", body), 401, "UNAUTHORIZED");
    Problems.require(daemon.client().send("POST", "/api/no", body), 404, "NOT_FOUND");
    assertIsFine();
  }

  @Test
  void a_chunked_body_is_rejected_once_it_exceeds_the_limit() {
    try (var client = new RawClient(daemon.url())) {
      client.send(head("POST /api/agents", "Transfer-Encoding: chunked"));
      byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.UTF_8);
      int sent = 0;
      while (sent < HUNDRED_MEGABYTES && client.isSent(chunk)) {
        sent += chunk.length;
      }
      assertThat(client.rest()).contains(" 413 ", "TOO_LARGE", "Connection: close");
    }
    assertIsFine();
  }

  /// Helidon reads a whole chunk before it passes on a byte: 2 GB here.
  @Test
  void an_oversized_chunk_is_rejected_while_it_arrives() {
    try (var client = new RawClient(daemon.url())) {
      client.send(head("POST /api/agents", "Transfer-Encoding: chunked"));
      client.send("7fffffff\r\n");
      client.send(new byte[RequestBodyReader.MAX_BYTES + 1]);
      assertThat(client.until("}")).contains(" 413 ", "TOO_LARGE");
    }
    assertIsFine();
  }

  @Test
  void the_rest_of_a_body_is_never_parsed_as_a_request() {
    String hidden = head("POST /api/tokens", "Content-Length: 2") + "{}";
    String filler = "x".repeat(RequestBodyReader.MAX_BYTES);
    String body = hidden + filler;
    var clients = new ArrayList<RawClient>();
    for (String line : List.of("POST /api/agents", "POST /api/no", "DELETE /api/agents")) {
      var client = new RawClient(daemon.url());
      client.send(head(line, "Content-Length: " + body.length()) + body);
      clients.add(client);
    }
    for (RawClient client : clients) {
      String reply = client.rest();
      assertThat(reply.split("HTTP/1.1 ", -1)).as(reply).hasSize(2);
      client.close();
    }
    assertThat(daemon.get("/api/tokens").body().path("tokens")).hasSize(1);
  }

  @Test
  void a_body_of_exactly_the_limit_is_read_in_any_encoding() {
    String open = "{\"name\": \"ada\", \"systemPrompt\": \"";
    String body = open + "x".repeat(RequestBodyReader.MAX_BYTES - open.length() - 2) + "\"}";
    assertThat(daemon.post("/api/agents", body).status()).isEqualTo(201);

    try (var client = new RawClient(daemon.url())) {
      client.send(head("POST /api/agents", "Transfer-Encoding: chunked"));
      for (int i = 0; i < body.length(); i += 0x10000) {
        String part = body.substring(i, Math.min(body.length(), i + 0x10000));
        client.send(Integer.toHexString(part.length()) + ";note=1\r\n" + part + "\r\n");
      }
      client.send("0\r\n\r\n" + head("GET /healthz", "Connection: close"));
      assertThat(client.rest()).contains(" 201 ", "\"ada-2\"", "{\"status\":\"ok\"}");
    }
  }

  @Test
  void expect_continue_is_answered_before_the_body() {
    try (var client = new RawClient(daemon.url())) {
      client.send(
          head("POST /api/agents", "Expect: 100-continue", "Content-Length: " + HUNDRED_MEGABYTES));
      assertThat(client.until("}")).startsWith("HTTP/1.1 413 ");
    }
    try (var client = new RawClient(daemon.url())) {
      client.send(
          head(
              "POST /api/tokens",
              "Connection: close",
              "Expect: 100-continue",
              "Transfer-Encoding: chunked"));
      assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
      client.send("2\r\n{}\r\n0\r\n\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 201 ");
    }
  }

  private void assertIsFine() {
    assertThat(daemon.get("/api/agents").body().path("agents")).isEmpty();
  }

  private String head(String line, String... headers) {
    return line
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + daemon.token()
        + "\r\n"
        + String.join("\r\n", headers)
        + "\r\n\r\n";
  }
}
