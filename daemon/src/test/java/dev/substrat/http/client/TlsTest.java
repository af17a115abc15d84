package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.nio.file.Path;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server must prove to be the requested host.
@Timeout(300)
final class TlsTest {
  private static TestCertificate ada = new TestCertificate(Path.of(""));

  private final TestHttpClient calls =
      new TestHttpClient(ada.trusting(), "ada.example", "ben.example", "127.0.0.1");

  private final RawServer server =
      new RawServer(
          "127.0.0.1",
          0,
          ada.serving(),
          visit -> {
            while (true) {
              boolean isDown = visit.request().startsWith("GET /down");
              visit.say(
                  isDown
                      ? "HTTP/1.1 302 Down\r\nLocation: http://ada.example/\r\n\r\n"
                      : RawServer.ok("it is ada"));
            }
          });

  @BeforeAll
  static void create(@TempDir Path directory) throws Exception {
    ada = TestCertificate.create(directory, "ada.example");
  }

  @AfterEach
  void close() {
    server.close();
    calls.close();
  }

  private String url(String host) {
    calls.naming("ada.example", "127.0.0.1").naming("ben.example", "127.0.0.1");
    return "https://" + host + ":" + server.port() + "/";
  }

  @Test
  void a_server_with_a_trusted_certificate_of_the_host_is_accepted() {
    for (int i = 0; i < 5; i++) {
      assertThat(calls.read(url("ada.example"))).isEqualTo("it is ada");
    }
    assertThat(server.visits()).isEqualTo(1);
    assertThat(server.requests().getFirst()).contains("Host: ada.example:" + server.port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ben.example", "127.0.0.1"})
  void a_certificate_for_another_host_is_rejected(String host) {
    OutgoingFailure failure = calls.failure(url(host));

    assertThat(failure.reason()).isEqualTo(FailureReason.TLS_FAILED);
    assertThat(failure.message()).contains("certificate", host);
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void an_untrusted_certificate_is_rejected() {
    try (var strict =
        new TestHttpClient((SSLSocketFactory) SSLSocketFactory.getDefault(), "ada.example")) {
      strict.naming("ada.example", "127.0.0.1");

      assertThat(strict.failure(url("ada.example")).reason()).isEqualTo(FailureReason.TLS_FAILED);
    }
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_server_without_tls_has_its_own_error() {
    try (var plain = new RawServer(visit -> visit.say(RawServer.ok("plain")))) {
      OutgoingFailure failure = calls.failure("https://127.0.0.1:" + plain.port() + "/");

      assertThat(failure.reason()).isEqualTo(FailureReason.TLS_FAILED);
      assertThat(failure.message()).doesNotContain("certificate");
    }
  }

  @Test
  void a_redirect_from_https_to_http_is_blocked() {
    OutgoingFailure failure = calls.failure(url("ada.example") + "down");

    assertThat(failure.reason()).isEqualTo(FailureReason.BLOCKED);
    assertThat(failure.message()).contains("from https to http");
  }
}
