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

/// A browser's cookie where others find the daemon behind somebody who speaks https for it.
@OnEveryDatabase
@Timeout(60)
final class SecretCookieTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  SecretCookieTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.foundAt(place, "https://harbor.example");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void who_came_in_secret_never_shows_it_in_plain() {
    assertThat(loginAt("harbor.example")).contains("Set-Cookie", "; Secure");
  }

  @Test
  void who_came_to_this_machine_has_no_other_way_to_show_it() {
    assertThat(loginAt("localhost")).contains("Set-Cookie").doesNotContain("; Secure");
  }

  /// Anyone on the network can serve a page under this name in plain HTTP.
  @Test
  void a_page_of_the_same_name_without_https_is_foreign() {
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
