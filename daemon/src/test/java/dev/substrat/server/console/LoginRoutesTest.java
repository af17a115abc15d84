package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sign-in, sessions and their protection.
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
  void a_sign_in_link_works_once() {
    String link = link();
    Answer first = browser.get(link);

    assertThat(first.status()).isEqualTo(303);
    assertThat(first.header("Location")).isEqualTo("/");
    assertThat(first.header("Set-Cookie")).contains("HttpOnly", "SameSite=Strict", "Path=/");
    assertThat(look("/api/agents", cookie(first)).status()).isEqualTo(200);
    for (String stale : new String[] {link, "/login?code="}) {
      Answer refused = browser.get(stale);
      assertThat(refused.body().asText()).contains("expired or was already used");
      assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void the_operator_token_signs_in_and_an_agent_token_does_not() {
    Answer opened = browser.post("/login", "{\"token\": \"" + daemon.token() + "\"}");
    String ada = "/api/agents/" + daemon.createAgent("ada", "[]").path("id").asText();
    String token = daemon.post(ada + "/tokens", "{}").text("token");

    assertThat(opened.status()).isEqualTo(204);
    assertThat(look("/api/agents", cookie(opened)).status()).isEqualTo(200);
    Problems.require(browser.post("/login", "{\"token\": \"" + token + "\"}"), 401, "UNAUTHORIZED");
    Problems.require(browser.post("/login", "{\"token\": \"\"}"), 401, "UNAUTHORIZED");
    Problems.require(browser.post("/login", "{}"), 400, "INVALID_ARGUMENTS");
  }

  @Test
  void a_page_of_another_origin_cannot_use_the_session() {
    String cookie = cookie(browser.get(link()));

    Problems.require(
        browser.post("/api/tokens", "{}", "Cookie", cookie, "Origin", "http://localhost:3000"),
        403,
        "FOREIGN_ORIGIN");
    Problems.require(browser.get(link(), "Origin", "https://evil.example"), 403, "FOREIGN_ORIGIN");
  }

  @Test
  void sign_in_redirects_to_the_requested_page() {
    Answer opened = submit("/login", "token=" + daemon.token() + "&next=%2Fagents%3Fq%3Dada");
    assertThat(opened.status()).isEqualTo(303);
    assertThat(opened.header("Location")).isEqualTo("/agents?q=ada");
    for (String foreign : new String[] {"https://evil.example", "//evil.example", "/\\evil", ""}) {
      String next = URLEncoder.encode(foreign, StandardCharsets.UTF_8);
      assertThat(submit("/login", "token=" + daemon.token() + "&next=" + next).header("Location"))
          .isEqualTo("/");
    }
    Answer wrong = submit("/login", "token=nonsense&next=%2Fagents");
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.body().asText()).contains("not valid for the console", "value=\"/agents\"");
  }

  @Test
  void a_person_signs_in_and_sees_no_agents() {
    String token = daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token");
    String cookie = cookie(submit("/login", "token=" + token));

    assertThat(look("/api/spaces", cookie).status()).isEqualTo(200);
    assertThat(look("/agents", cookie).status()).isEqualTo(403);
  }

  @Test
  void signing_out_ends_the_session() {
    String cookie = cookie(browser.get(link()));
    Answer out = submit("/logout", "", "Cookie", cookie);

    assertThat(out.header("Set-Cookie")).contains("Max-Age=0");
    Problems.require(look("/api/agents", cookie), 401, "UNAUTHORIZED");
  }

  @Test
  void a_session_can_be_revoked_like_any_token() {
    String cookie = cookie(browser.get(link()));
    String id = cookie.split("_")[2];
    assertThat(daemon.delete("/api/tokens/" + id).status()).isEqualTo(204);

    Problems.require(look("/api/agents", cookie), 401, "UNAUTHORIZED");
  }

  @Test
  @Requirement("N7")
  void revoking_a_token_ends_its_sessions() {
    String token = daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token");
    String hers = cookie(submit("/login", "token=" + token));
    String spare = daemon.post("/api/tokens", "{}").text("token");
    String byLink;
    String unused;
    try (TestClient second = daemon.as(spare)) {
      byLink = cookie(browser.get(link(second)));
      unused = link(second);
    }
    assertThat(look("/spaces", hers).status()).isEqualTo(200);
    assertThat(look("/api/agents", byLink).status()).isEqualTo(200);

    assertThat(daemon.delete("/api/tokens/" + token.split("_")[1]).status()).isEqualTo(204);
    assertThat(daemon.delete("/api/tokens/" + spare.split("_")[1]).status()).isEqualTo(204);

    Problems.require(look("/api/spaces", hers), 401, "UNAUTHORIZED");
    Problems.require(look("/api/agents", byLink), 401, "UNAUTHORIZED");
    assertThat(browser.get(unused).headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void an_invalid_cookie_is_rejected() {
    for (String cookie : new String[] {"substrat_session=", "substrat_session=x", "x", "=", ";;"}) {
      Problems.require(look("/api/agents", cookie), 401, "UNAUTHORIZED");
    }
  }

  @Test
  void sessions_and_tokens_are_not_interchangeable() {
    String cookie = cookie(browser.get(link()));
    String session = cookie.substring(cookie.indexOf('=') + 1);

    try (TestClient thief = daemon.as(session)) {
      Problems.require(thief.get("/api/agents"), 401, "UNAUTHORIZED");
    }
    Problems.require(
        browser.post("/login", "{\"token\": \"" + session + "\"}"), 401, "UNAUTHORIZED");
    Problems.require(
        look("/api/agents", "substrat_session=" + daemon.token()), 401, "UNAUTHORIZED");
  }

  /// A server on another port of this machine is the same site to a browser, which sends the
  /// cookie.
  @Test
  void a_page_of_another_port_cannot_use_the_session() {
    String cookie = cookie(browser.get(link()));

    for (String site : new String[] {"same-site", "cross-site"}) {
      Problems.require(
          browser.get("/api/agents", "Cookie", cookie, "Sec-Fetch-Site", site),
          401,
          "UNAUTHORIZED");
    }
    Problems.require(browser.get("/api/agents", "Cookie", cookie), 401, "UNAUTHORIZED");
    assertThat(browser.get("/api/agents", "Cookie", cookie, "Sec-Fetch-Site", "none").status())
        .isEqualTo(200);
    assertThat(browser.get("/api/agents", "Cookie", cookie, "Origin", daemon.url()).status())
        .isEqualTo(200);
  }

  private Answer look(String path, String cookie) {
    return browser.get(path, "Cookie", cookie, "Sec-Fetch-Site", "same-origin");
  }

  private Answer submit(String path, String form, String... headers) {
    return browser.send(
        "POST",
        path,
        form.isEmpty() ? "x=" : form,
        Stream.concat(
                Stream.of(
                    "Content-Type", "application/x-www-form-urlencoded", "Origin", daemon.url()),
                Stream.of(headers))
            .toArray(String[]::new));
  }

  /// Path and query of a new link.
  private String link() {
    return link(daemon.client());
  }

  private String link(TestClient who) {
    return who.post("/api/login-links", "").text("url").substring(daemon.url().length());
  }

  private static String cookie(Answer answer) {
    return answer.header("Set-Cookie").split(";", 2)[0];
  }

  /// The session does not belong to the token in the header.
  @Test
  @Requirement("N7")
  void a_sign_in_link_opens_a_session_of_its_creator() {
    String token = daemon.post("/api/tokens", "{\"person\":\"ana\"}").text("token");
    String session = cookie(submit("/login", "token=" + token));
    String link =
        browser
            .post(
                "/api/login-links",
                "{}",
                "Cookie",
                session,
                "Origin",
                daemon.url(),
                "Authorization",
                "x " + daemon.token())
            .text("url")
            .substring(daemon.url().length());

    String opened = cookie(browser.get(link));
    assertThat(look("/api/spaces", opened).status()).isEqualTo(200);
    assertThat(look("/api/agents", opened).status()).as("not the operator").isEqualTo(403);
  }
}
