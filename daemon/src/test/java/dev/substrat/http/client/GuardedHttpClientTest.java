package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests and responses with a well-behaved server.
@Timeout(300)
final class GuardedHttpClientTest {
  private final TestHttpClient calls = TestHttpClient.toLoopback();

  @AfterEach
  void close() {
    calls.close();
  }

  @Test
  @Requirement("S3-16")
  void a_request_is_sent_with_its_method_headers_and_body() {
    try (var server = RawServer.answering(RawServer.ok("fine"))) {
      var reply =
          calls
              .outgoing()
              .send(
                  TestHttpClient.request(
                      "POST",
                      server.url("/weather?city=Köln#now"),
                      Map.of("X-Key", "k1", "Content-Type", "application/json"),
                      "{\"ä\":1}"));

      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).isEqualTo("fine");
      assertThat(reply.header("content-length")).contains("4");
      assertThat(server.requests().getFirst())
          .startsWith("POST /weather?city=K%C3%B6ln HTTP/1.1\r\nHost: 127.0.0.1:" + server.port())
          .contains("\r\nX-Key: k1\r\n", "\r\nContent-Type: application/json\r\n")
          .contains("\r\nUser-Agent: substrat/1.2\r\n", "\r\nAccept-Encoding: identity\r\n")
          .contains("\r\nContent-Length: 8\r\n")
          .endsWith("\r\n\r\n{\"ä\":1}");
      assertThat(calls.metrics()).contains("substrat_outgoing_calls_total{outcome=\"200\"} 1");
    }
  }

  @ParameterizedTest
  @CsvSource({"200", "204", "304", "404", "500"})
  void every_status_code_is_returned_as_a_response(int status) {
    String head = "HTTP/1.1 " + status + " Whatever\r\n";
    boolean isBare = status == 204 || status == 304;
    try (var server =
        RawServer.answering(head + (isBare ? "\r\n" : "Content-Length: 2\r\n\r\nno"))) {
      var reply = calls.outgoing().send(TestHttpClient.get(server.url("/")));

      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.text()).isEqualTo(isBare ? "" : "no");
    }
  }

  @Test
  void a_chunked_body_is_read() {
    try (var server =
        RawServer.answering(
            RawServer.wire(
                """
                HTTP/1.1 200 OK
                Transfer-Encoding: Chunked

                3;note=x
                abc
                00A
                0123456789
                0
                Trailer: yes

                """))) {
      assertThat(calls.read(server.url("/"))).isEqualTo("abc0123456789");
      assertThat(calls.read(server.url("/"))).isEqualTo("abc0123456789");
      assertThat(server.visits()).isEqualTo(1);
    }
  }

  @Test
  void a_body_may_end_when_the_connection_closes() {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say("HTTP/1.0 200 OK\r\n\r\nall of it");
        })) {
      assertThat(calls.read(server.url("/"))).isEqualTo("all of it");
    }
  }

  @Test
  void a_response_to_head_has_no_body_whatever_its_headers_say() {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")) {
      var reply =
          calls.outgoing().send(TestHttpClient.request("HEAD", server.url("/"), Map.of(), ""));

      assertThat(reply.body()).isEmpty();
    }
  }

  @Test
  void informational_responses_are_skipped() {
    try (var server =
        RawServer.answering(
            RawServer.wire("HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 100 Continue\n\n")
                + RawServer.ok("now"))) {
      assertThat(calls.read(server.url("/"))).isEqualTo("now");
    }
  }

  @Test
  void a_stream_is_read_while_it_arrives() throws Exception {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
          visit.awaitEnd();
        })) {
      try (var stream = calls.outgoing().open(TestHttpClient.get(server.url("/")))) {
        assertThat(stream.header("content-type")).contains("text/event-stream");
        assertThat(stream.body().readNBytes(9))
            .isEqualTo("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void a_refused_connection_is_reported() throws IOException {
    int port;
    try (var gone = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      port = gone.getLocalPort();
    }
    OutgoingFailure failure = calls.failure("http://127.0.0.1:" + port + "/");

    assertThat(failure.reason()).isEqualTo(FailureReason.REFUSED);
    assertThat(failure.fault().code()).isEqualTo(ErrorCode.UPSTREAM_ERROR);
    assertThat(failure.message()).contains("127.0.0.1:" + port);
    assertThat(calls.metrics()).contains("substrat_outgoing_calls_total{outcome=\"refused\"} 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "TRACE", "get", "GET /x HTTP/1.1\r\nA: b", ""})
  void an_invalid_method_is_rejected(String method) {
    assertThatExceptionOfType(OutgoingFailure.class)
        .isThrownBy(() -> TestHttpClient.request(method, "http://127.0.0.1/", Map.of(), ""))
        .satisfies(failure -> assertThat(failure.reason()).isEqualTo(FailureReason.BAD_REQUEST));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Host              | other.example
          content-length    | 3
          Transfer-Encoding | chunked
          Connection        | upgrade
          Accept-Encoding   | gzip
          X-A               | 'a\r\nX-B: b'
          X-A               | 'a\nX-B: b'
          X-A               | 'a\u0000'
          'X A'             | a
          'X:A'             | a
          'X-A\r\nX-B'      | a
          """)
  void reserved_and_malformed_headers_are_rejected(String name, String value) {
    var headers = Map.of(name.translateEscapes(), value.translateEscapes());

    assertThatExceptionOfType(OutgoingFailure.class)
        .isThrownBy(() -> TestHttpClient.request("GET", "http://127.0.0.1/", headers, ""))
        .satisfies(failure -> {
          assertThat(failure.reason()).isEqualTo(FailureReason.BAD_REQUEST);
          assertThat(failure.fault().code()).isEqualTo(ErrorCode.INVALID_ARGUMENTS);
        });
  }

  @Test
  void a_failure_message_does_not_contain_the_request() {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.reset();
        })) {
      var request =
          new OutgoingRequest(
              "POST",
              server.url("/secret-path?key=secret-query"),
              Map.of("Authorization", "secret-header"),
              "secret-body",
              Duration.ofSeconds(20),
              100);
      OutgoingFailure failure = calls.failure(request);

      assertThat(failure.reason()).isEqualTo(FailureReason.BROKEN);
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        assertThat(cause.toString()).doesNotContain("secret");
      }
      assertThat(failure.hint() + request).doesNotContain("secret");
    }
  }
}
