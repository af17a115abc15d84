package dev.substrat.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.daemon.TestClient;
import dev.substrat.daemon.TestClient.Answer;
import dev.substrat.daemon.TestDaemon;
import dev.substrat.http.Problems;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A browser's way in, and what others cannot make of it.
@OnEveryDatabase
final class LoginRoutesTest {
  private final TestDaemon daemon;
  private final TestClient browser;

  LoginRoutesTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
    this.browser = daemon.as("");
  }

  @AfterEach
  void stop() {
    browser.close();
    daemon.close();
  }

  @Test
  void a_link_opens_the_console_once() {
    String link = link();
    Answer first = browser.get(link);

    assertThat(first.status()).isEqualTo(303);
    assertThat(first.header("Location")).isEqualTo("/");
    assertThat(first.header("Set-Cookie")).contains("HttpOnly", "SameSite=Strict", "Path=/");
    assertThat(browser.get("/api/agents", "Cookie", cookie(first)).status()).isEqualTo(200);
    for (String stale : new String[] {link, "/login?code=", "/login"}) {
      Answer refused = browser.get(stale);
      assertThat(refused.header("Location")).isEqualTo("/?link=used");
      assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void the_operators_token_opens_it_too_and_an_agents_does_not() {
    Answer opened = browser.post("/login", "{\"token\": \"" + daemon.token() + "\"}");
    String ada = "/api/agents/" + daemon.createAgent("ada", "[]").path("id").asText();
    String token = daemon.post(ada + "/tokens", "{}").text("token");

    assertThat(opened.status()).isEqualTo(204);
    assertThat(browser.get("/api/agents", "Cookie", cookie(opened)).status()).isEqualTo(200);
    Problems.require(browser.post("/login", "{\"token\": \"" + token + "\"}"), 401, "UNAUTHORIZED");
    Problems.require(browser.post("/login", "{\"token\": \"\"}"), 401, "UNAUTHORIZED");
    Problems.require(browser.post("/login", "{}"), 400, "INVALID_ARGUMENTS");
  }

  @Test
  void a_foreign_page_cannot_use_the_session() {
    String cookie = cookie(browser.get(link()));

    Problems.require(
        browser.post("/api/tokens", "{}", "Cookie", cookie, "Origin", "http://localhost:3000"),
        403,
        "FOREIGN_ORIGIN");
    Problems.require(browser.get(link(), "Origin", "https://evil.example"), 403, "FOREIGN_ORIGIN");
  }

  @Test
  void a_session_can_be_revoked_like_any_token() {
    String cookie = cookie(browser.get(link()));
    String id = cookie.split("_")[2];
    assertThat(daemon.delete("/api/tokens/" + id).status()).isEqualTo(204);

    Problems.require(browser.get("/api/agents", "Cookie", cookie), 401, "UNAUTHORIZED");
  }

  @Test
  void a_wrong_cookie_lets_nobody_in() {
    for (String cookie : new String[] {"substrat_session=", "substrat_session=x", "x", "=", ";;"}) {
      Problems.require(browser.get("/api/agents", "Cookie", cookie), 401, "UNAUTHORIZED");
    }
  }

  /// The path and query of a fresh link.
  private String link() {
    return daemon.post("/api/login-links", "").text("url").substring(daemon.url().length());
  }

  private static String cookie(Answer answer) {
    return answer.header("Set-Cookie").split(";", 2)[0];
  }
}
