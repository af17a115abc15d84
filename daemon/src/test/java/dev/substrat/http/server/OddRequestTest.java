package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Malformed and unusual HTTP requests.
@Timeout(300)
final class OddRequestTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          /%61pi/agents,             200
          /api/agents?,              200
          /api/agents?x=1&&=&y,      200
          /api%2Fagents,             404
          /api/agents%2F,            404
          /api/agents/a%2Fb,         404
          /api/agents/,              404
          /api//agents,              404
          //api/agents,              404
          //healthz,                 404
          /api/../healthz,           404
          /api/%2e%2e/healthz,       404
          /../../etc/passwd,         404
          /./healthz,                404
          /api/agents;x=1,           404
          /API/agents,               404
          /api/agents/%ff,           404
          /api/agents/+,             404
          /api/agents/%,             400
          /api/agents/%zz,           400
          /api/inbox?after=%zz,      400
          /api/agents/\\,            400
          *,                         404
          http://localhost/healthz,  404
          http://localhost,          404
          """)
  void dot_segments_and_encodings_in_a_path_are_not_normalized(String path, int status) {
    String reply = talk("GET " + path + " HTTP/1.1", "Connection: close");

    assertThat(reply).startsWith("HTTP/1.1 " + status + " ");
    Problems.requireNoInsides(reply);
  }

  @Test
  void an_escaped_slash_is_part_of_the_path_segment() {
    assertThat(talk("GET /api/agents/a%2Fb+c HTTP/1.1", "Connection: close"))
        .contains("agent \\\"a/b+c\\\" not found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\0\1\2 hello\r\n\r\n",
        "hello\r\n\r\n",
        "GET\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\r\n\r\n",
        "\n",
        " / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nX: a\0b\r\n\r\n",
        "GET / HTTP/1.1\r\n: empty\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost:x\r\n\r\n",
        "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003\r\n\r\n"
      })
  void invalid_http_is_rejected(String garbage) {
    String reply = RawClient.talk(daemon.url(), garbage);

    assertThat(reply)
        .startsWith("HTTP/1.1 400 ")
        .contains("application/json", "\"error\":true", "MALFORMED_REQUEST", "\"hint\":");
    Problems.requireNoInsides(reply);
    assertThat(daemon.get("/api/agents").status()).isEqualTo(200);
  }

  @Test
  void an_older_http_version_gets_the_supported_one() {
    assertThat(talk("GET /healthz HTTP/1.0"))
        .startsWith("HTTP/1.1 505 ")
        .contains("MALFORMED_REQUEST", "HTTP/1.1");
  }

  @Test
  void a_url_that_is_too_long_is_rejected() {
    String reply = talk("GET /api/agents/" + "a".repeat(20_000) + " HTTP/1.1");

    assertThat(reply).startsWith("HTTP/1.1 414 ").contains("TOO_LARGE", "URL");
  }

  @Test
  void headers_that_are_too_long_are_rejected() {
    assertThat(talk("GET /healthz HTTP/1.1", "X-Long: " + "a".repeat(100_000)))
        .startsWith("HTTP/1.1 400 ")
        .contains("MALFORMED_REQUEST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: -5",
        "Content-Length: abc",
        "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
        "Content-Length: 2\r\nContent-Encoding: gzip"
      })
  void a_body_with_an_ambiguous_length_is_rejected(String framing) {
    String reply = talk("POST /api/tokens HTTP/1.1", framing, "Connection: close");

    assertThat(reply).startsWith("HTTP/1.1 400 ").contains("MALFORMED_REQUEST");
    assertThat(reply.split("HTTP/1.1 ", -1)).hasSize(2);
  }

  /// In one write, because the server reads on for only a second before it closes.
  @Test
  void broken_chunks_are_rejected_with_one_response() {
    var broken =
        List.of(
            "zz\r\n{}\r\n0\r\n\r\n",
            "-2\r\n{}\r\n0\r\n\r\n",
            "1\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0\r\nX: trailer\r\n\r\n",
            "ffffffffffffffffff\r\n{}",
            "\r\n\r\n");
    var clients = broken.stream().map(_ -> new RawClient(daemon.url())).toList();
    for (int i = 0; i < broken.size(); i++) {
      clients.get(i).send(head("POST /api/tokens HTTP/1.1", "Transfer-Encoding: chunked"));
      clients.get(i).send(broken.get(i));
    }
    for (RawClient client : clients) {
      String reply = client.rest();
      assertThat(reply).startsWith("HTTP/1.1 400 ").contains("MALFORMED_REQUEST");
      assertThat(reply.split("HTTP/1.1 ", -1)).hasSize(2);
      client.close();
    }
    assertThat(daemon.get("/api/tokens").body().path("tokens")).hasSize(1);
  }

  @Test
  void a_reply_to_head_has_no_body() {
    try (var client = new RawClient(daemon.url())) {
      client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 405 ").contains("Allow: GET");
      client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).startsWith("HTTP/1.1 200 ").endsWith("{\"status\":\"ok\"}");
    }
  }

  @Test
  void a_connection_serves_many_requests_until_connection_close() {
    String get = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String last = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    String replies = RawClient.talk(daemon.url(), get.repeat(20) + last + get);

    assertThat(replies.split("HTTP/1.1 200 ", -1)).hasSize(22);
  }

  private String talk(String line, String... headers) {
    return RawClient.talk(daemon.url(), head(line, headers));
  }

  private String head(String line, String... headers) {
    return line
        + "\r\nHost: localhost\r\nAuthorization: Bearer "
        + daemon.token()
        + "\r\n"
        + String.join("\r\n", headers)
        + "\r\n\r\n";
  }
}
