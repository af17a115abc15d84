package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.RawClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Session cookie behind an HTTPS proxy.
@OnEveryDatabase
@Timeout(300)
final class SecureCookieTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  SecureCookieTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.foundAt(place, "https://harbor.example");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_session_over_https_has_a_secure_cookie() {
    assertThat(loginAt("harbor.example")).contains("Set-Cookie", "; Secure");
  }

  @Test
  void a_local_session_has_no_secure_cookie() {
    assertThat(loginAt("localhost")).contains("Set-Cookie").doesNotContain("; Secure");
  }

  /// Plain HTTP under the same name could be served by an attacker.
  @Test
  void plain_http_under_the_same_name_is_another_origin() {
    assertThat(formFrom("https://harbor.example")).contains(" 401 ");
    assertThat(formFrom("http://harbor.example")).contains(" 403 ", "FOREIGN_ORIGIN");
  }

  private String formFrom(String origin) {
    return RawClient.talk(
        daemon.url(),
        "POST /login HTTP/1.1\r\nHost: harbor.example\r\nOrigin: "
            + origin
            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7"
            + "\r\nConnection: close\r\n\r\ntoken=x");
  }

  private String loginAt(String host) {
    String link = daemon.post("/api/login-links", "{}").text("url");
    String path = link.substring(link.indexOf("/login"));
    try (var client = new RawClient(daemon.url())) {
      client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
      return client.until("\r\n\r\n");
    }
  }
}
