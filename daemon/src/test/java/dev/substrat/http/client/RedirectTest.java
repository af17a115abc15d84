package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.testkit.Requirement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Redirects. Each hop is a request of its own: checked again, and without data of the previous
/// origin.
@Timeout(300)
final class RedirectTest {
  private final TestHttpClient calls = TestHttpClient.toLoopback();
  private final RawServer other = RawServer.answering(RawServer.ok("other"));

  @AfterEach
  void close() {
    other.close();
    calls.close();
  }

  /// A server that redirects `/begin` to a location and answers every other path.
  private static RawServer leading(int status, String location) {
    return new RawServer(visit -> {
      while (true) {
        boolean isBegin = visit.request().split(" ")[1].startsWith("/a/begin");
        visit.say(isBegin ? redirect(status, location) : RawServer.ok("arrived"));
      }
    });
  }

  private static String redirect(int status, String location) {
    return RawServer.wire("HTTP/1.1 %d Elsewhere\nLocation: %s\nContent-Length: 4\n\nmore")
        .formatted(status, location);
  }

  @ParameterizedTest
  @CsvSource({
    "/there, /there",
    "there, /a/there",
    "../there, /there",
    "./there/../x/., /a/x/",
    "../../../there, /there",
    "?q=1, /a/begin?q=1",
    "there?q=../x, /a/there?q=../x",
    "/ä#part, /%C3%A4",
    "//HERE/there, /there",
    "http://HERE/there, /there",
    "HTTP://HERE?q, /?q"
  })
  void a_redirect_is_followed(String location, String arrival) {
    var box = new RawServer[1];
    try (var server =
        new RawServer(visit -> {
          while (true) {
            boolean isBegin = visit.request().split(" ")[1].equals("/a/begin");
            String here = "127.0.0.1:" + box[0].port();
            visit.say(
                isBegin ? redirect(302, location.replace("HERE", here)) : RawServer.ok("arrived"));
          }
        })) {
      box[0] = server;
      assertThat(calls.read(server.url("/a/begin"))).isEqualTo("arrived");
      assertThat(server.requests().getLast()).startsWith("GET " + arrival + " HTTP/1.1");
      assertThat(server.visits()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "301, POST, GET", "302, POST, GET", "303, POST, GET", "303, PUT, GET", "303, HEAD, HEAD",
    "301, PUT, PUT", "302, DELETE, DELETE", "307, POST, POST", "308, POST, POST", "308, GET, GET"
  })
  void the_method_after_a_redirect_follows_the_status_code(int status, String method, String then) {
    boolean hasBody = method.startsWith("P");
    var request = Map.of("Content-Type", "text/plain", "X-Key", "k1");
    try (var server =
        new RawServer(visit -> {
          while (true) {
            boolean isBegin = visit.request().split(" ")[1].equals("/begin");
            String end = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
            String begin = redirect(status, "/end");
            visit.say(isBegin ? (method.equals("HEAD") ? begin.replace("more", "") : begin) : end);
          }
        })) {
      calls
          .outgoing()
          .send(
              TestHttpClient.request(method, server.url("/begin"), request, hasBody ? "said" : ""));

      String last = server.requests().getLast();
      assertThat(last).startsWith(then + " /end ").contains("X-Key: k1");
      assertThat(last.endsWith("said")).isEqualTo(then.startsWith("P"));
      assertThat(last.contains("Content-Type")).isEqualTo(method.equals(then));
    }
  }

  @Test
  @Requirement("S3-16")
  void headers_of_one_origin_are_not_sent_to_another() {
    var headers =
        Map.of(
            "Authorization", "Bearer secret",
            "cookie", "secret=1",
            "X-Api-Key", "secret",
            "Accept", "text/plain");
    try (var server = leading(302, other.url("/there"))) {
      var reply =
          calls.outgoing().send(TestHttpClient.request("GET", server.url("/a/begin"), headers, ""));

      assertThat(reply.text()).isEqualTo("other");
      assertThat(server.requests().getFirst()).contains("Bearer secret", "secret=1", "X-Api-Key");
      assertThat(other.requests().getFirst()).contains("text/plain").doesNotContain("secret");
    }
  }

  @ParameterizedTest
  @CsvSource({"307, POST", "308, PUT", "302, DELETE", "307, GET"})
  void a_body_for_one_origin_is_not_sent_to_another(int status, String method) {
    String body = method.equals("DELETE") ? "" : "secret";
    try (var server = leading(status, other.url("/there"))) {
      OutgoingFailure failure =
          calls.failure(TestHttpClient.request(method, server.url("/a/begin"), Map.of(), body));

      assertThat(failure.reason()).isEqualTo(FailureReason.BLOCKED);
      assertThat(other.visits()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "http://127.0.0.2/",
        "http://0x7f.2/",
        "//[::1]/",
        "https://10.0.0.1/",
        "http://private.example/",
        "http://user:sesame@127.0.0.1/",
        "file:///etc/passwd",
        "javascript:alert(1)"
      })
  @Requirement("S3-16")
  void a_redirect_to_a_blocked_address_is_rejected(String location) {
    calls.naming("private.example", "192.168.1.1");
    try (var server = leading(302, location)) {
      OutgoingFailure failure = calls.failure(server.url("/a/begin"));

      assertThat(failure.reason()).isEqualTo(FailureReason.BLOCKED);
      assertThat(failure.fault().code()).isEqualTo(ErrorCode.ADDRESS_BLOCKED);
      assertThat(failure.message()).doesNotContain("sesame", "meta-data");
    }
  }

  /// A bad redirect URL is not the caller's mistake.
  @ParameterizedTest
  @ValueSource(strings = {"http://", "http://127.0.0.1:99999/", "http:127.0.0.1", "/a\tb"})
  void a_redirect_to_an_invalid_url_fails(String location) {
    try (var server = leading(302, location)) {
      assertThat(calls.failure(server.url("/a/begin")).reason()).isEqualTo(FailureReason.BROKEN);
    }
  }

  @Test
  void a_redirect_status_without_location_is_a_normal_response() {
    try (var server = RawServer.answering("HTTP/1.1 302 Odd\r\nContent-Length: 2\r\n\r\nno")) {
      var reply = calls.outgoing().send(TestHttpClient.get(server.url("/")));

      assertThat(reply.status()).isEqualTo(302);
      assertThat(reply.text()).isEqualTo("no");
    }
  }

  @Test
  void at_most_five_redirects_are_followed() {
    try (var server =
        new RawServer(visit -> {
          while (true) {
            int left = Integer.parseInt(visit.request().split(" ")[1].substring(1));
            visit.say(left == 0 ? RawServer.ok("arrived") : redirect(302, "/" + (left - 1)));
          }
        })) {
      assertThat(calls.read(server.url("/5"))).isEqualTo("arrived");
      assertThat(calls.failure(server.url("/6")).reason()).isEqualTo(FailureReason.BROKEN);
    }
  }

  @Test
  void a_redirect_loop_ends() {
    try (var server = RawServer.answering(redirect(302, "/again"))) {
      OutgoingFailure failure = calls.failure(server.url("/"));

      assertThat(failure.reason()).isEqualTo(FailureReason.BROKEN);
      assertThat(server.requests()).hasSize(6);
    }
  }

  @Test
  void the_body_of_a_redirect_is_not_read_completely() {
    try (var endless =
        new RawServer(visit -> {
          visit.request();
          visit.say("HTTP/1.1 302 Long\r\nLocation: %s\r\n\r\n".formatted(other.url("/")));
          while (true) {
            visit.say("on and on ".repeat(100));
          }
        })) {
      assertThat(calls.read(endless.url("/"))).isEqualTo("other");
    }
  }

  @Test
  void a_refused_connection_counts_as_unsent_only_without_a_redirect() {
    assertThat(calls.failure("http://127.0.0.1:1/")).returns(true, OutgoingFailure::isUnsent);
    try (var server = leading(303, "http://127.0.0.1:1/")) {
      var post = TestHttpClient.request("POST", server.url("/a/begin"), Map.of(), "pay");
      assertThat(calls.failure(post))
          .returns(FailureReason.REFUSED, OutgoingFailure::reason)
          .returns(false, OutgoingFailure::isUnsent);
    }
  }
}
