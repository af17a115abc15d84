package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Responses that are invalid, ambiguous or too large.
@Timeout(300)
final class HostileResponseTest {
  private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  private final TestHttpClient calls = TestHttpClient.toLoopback();

  @AfterEach
  void close() {
    calls.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          SSH-2.0-OpenSSH_9.6\\r\\n
          HTTP/2.0 200 OK\\r\\n\\r\\n
          HTTP/1.1 99 Odd\\r\\n\\r\\n
          HTTP/1.1 2000 Odd\\r\\n\\r\\n
          HTTP/1.1 OK\\r\\n\\r\\n
          http/1.1 200 OK\\r\\n\\r\\n
          \\r\\nHTTP/1.1 200 OK\\r\\n\\r\\n
          HTTP/1.1 101 Switching\\r\\nUpgrade: x\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nNo colon\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nContent-Length : 0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nA: b\\r\\n folded\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nA: b\\rContent-Length: 0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nA: \\0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nContent-Length: 3\\r\\nContent-Length: 4\\r\\n\\r\\nabcd
          HTTP/1.1 200 OK\\r\\nContent-Length: 3, 3\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nContent-Length: -1\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nContent-Length: +3\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nContent-Length: 0x3\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nContent-Length:\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nContent-Length: 99999999999999999999\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: gzip, chunked\\r\\n\\r\\n0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: identity\\r\\n\\r\\n
          HTTP/1.0 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n
          HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nContent-Length: 3\\r\\n\\r\\nabc
          HTTP/1.1 200 OK\\r\\nContent-Length: 30\\r\\n\\r\\ntoo short
          HTTP/1.1 200 OK\\r\\nContent-Length: 3
          HTTP/1.1 200 OK\\r\\n
          HTTP
          """)
  void an_invalid_response_is_rejected(String reply) {
    assertReason(reply.translateEscapes(), FailureReason.BROKEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          -1\\r\\n
          +3\\r\\nabc\\r\\n0\\r\\n\\r\\n
          0x3\\r\\nabc\\r\\n0\\r\\n\\r\\n
          zz\\r\\n
          \\r\\n
          ;note\\r\\n
          3 4\\r\\nabc
          ffffffffffffffffffff\\r\\nabc
          8000000000000000\\r\\nabc
          3\\r\\nabcd\\r\\n0\\r\\n\\r\\n
          3\\r\\nabc0\\r\\n\\r\\n
          3\\r\\nabc
          3\\r\\nab
          3
          3\\r\\nabc\\r\\n
          3\\r\\nabc\\r\\n0\\r\\n
          """)
  void invalid_chunks_are_rejected(String pieces) {
    assertReason(CHUNKED + pieces.translateEscapes(), FailureReason.BROKEN);
  }

  @Test
  void an_empty_response_is_rejected() {
    assertReason("", FailureReason.BROKEN);
  }

  @Test
  void endless_informational_responses_are_rejected() {
    assertReason("HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000), FailureReason.BROKEN);
  }

  @Test
  void too_many_response_headers_are_rejected() {
    assertReason(
        "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(1_000) + "\r\n", FailureReason.TOO_LARGE);
  }

  /// An endless response is not read to its end.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          HTTP/1.1 200 OK\\r\\nA:                                                  | b
          HTTP/1.1 200                                                             | O
          HTTP/1.1 200 OK\\r\\n                                                    | A: b\\r\\n
          HTTP/1.1 200 OK\\r\\nA:                                                  | ' x'
          HTTP/1.1 200 OK\\r\\n\\r\\n                                              | body
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n              | 1\\r\\nx\\r\\n
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1;          | note
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n       | A: b\\r\\n
          HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n            | 0
          """)
  void an_endless_response_is_too_large(String beginning, String again) throws Exception {
    String piece = again.translateEscapes().repeat(1_000);
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say(beginning.translateEscapes());
          while (true) {
            visit.say(piece);
          }
        })) {
      OutgoingFailure failure = calls.failure(server.url("/"));

      assertThat(failure.reason()).as(failure.message()).isEqualTo(FailureReason.TOO_LARGE);
    }
  }

  /// The declared length is enough to reject the body.
  @Test
  void a_body_with_a_declared_length_over_the_limit_is_not_read() {
    try (var server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n")) {
      assertThat(calls.failure(server.url("/")).reason()).isEqualTo(FailureReason.TOO_LARGE);
    }
  }

  @Test
  void a_body_up_to_the_size_limit_is_accepted() {
    try (var server = RawServer.answering(CHUNKED + "5\r\n12345\r\n0\r\n\r\n")) {
      assertThat(calls.outgoing().send(taking(server, 5)).text()).isEqualTo("12345");
      assertThat(calls.failure(taking(server, 4)).reason()).isEqualTo(FailureReason.TOO_LARGE);
    }
  }

  private static OutgoingRequest taking(RawServer server, long bytes) {
    return new OutgoingRequest(
        "GET", server.url("/"), Map.of(), "", TestHttpClient.PATIENCE, bytes);
  }

  private void assertReason(String reply, FailureReason reason) {
    try (var server = new RawServer(visit -> answer(visit, reply))) {
      OutgoingFailure failure = calls.failure(server.url("/"));

      assertThat(failure.reason()).as(failure.message()).isEqualTo(reason);
      assertThat(failure.message()).contains("127.0.0.1");
    }
  }

  private static void answer(RawServer.Exchange visit, String reply) throws IOException {
    visit.request();
    visit.say(reply);
  }
}
