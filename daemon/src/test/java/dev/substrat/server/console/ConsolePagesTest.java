package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Rules for every page: sessions, security headers, assets.
@OnEveryDatabase
final class ConsolePagesTest {
  private static final Pattern LINK = Pattern.compile("(?:src|href)=\"(/assets/[^\"]+)\"");
  private static final Pattern IMPORT = Pattern.compile("(?:from|import) \"\\./([a-z-]+\\.js)\"");

  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  ConsolePagesTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() {
    visitor.close();
    daemon.close();
  }

  @Test
  void a_request_without_session_redirects_to_sign_in_and_back() {
    try (var stranger = daemon.as("")) {
      Answer led = stranger.get("/agents?q=ada", "Accept", "text/html");
      assertThat(led.status()).isEqualTo(303);
      assertThat(led.header("Location")).isEqualTo("/login?next=%2Fagents%3Fq%3Dada");
      Problems.require(stranger.get("/agents"), 401, "UNAUTHORIZED");
      assertThat(stranger.get("/login?next=%2Fagents%3Fq%3Dada").body().asText())
          .contains("name=\"next\" value=\"/agents?q=ada\"");
    }
  }

  @Test
  void a_form_without_session_gets_a_readable_error() {
    try (var stranger = daemon.as("")) {
      Answer refused =
          stranger.post(
              "/agents/new",
              "name=ada",
              "Accept",
              "text/html",
              "Content-Type",
              "application/x-www-form-urlencoded",
              "Origin",
              daemon.url());
      assertThat(refused.status()).isEqualTo(401);
      assertThat(refused.body().asText())
          .contains("data-problem=\"You are signed out. Sign in in another tab")
          .doesNotContain("Bearer");
    }
  }

  @Test
  void the_content_policy_blocks_inline_and_external_code() {
    for (String path :
        new String[] {
          "/agents", "/spaces", "/approvals", "/mail", "/mail?folder=dead", "/login", "/nowhere"
        }) {
      Answer page = visitor.look(path);
      assertThat(page.header("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(page.body().asText())
          .doesNotContain("style=", "onclick", "http://", "https://", "javascript:")
          .doesNotContainPattern("<script(?![^>]*src=\"/assets/)");
    }
  }

  @Test
  void not_found_is_html_for_browsers_and_json_for_programs() {
    Answer page = visitor.look("/nowhere");
    assertThat(page.status()).isEqualTo(404);
    assertThat(page.body().asText()).contains("Not found", "NOT_FOUND");
    Problems.require(daemon.get("/nowhere"), 404, "NOT_FOUND");
    Problems.require(visitor.look("/api/nowhere"), 404, "NOT_FOUND");
  }

  @Test
  void a_form_is_accepted_only_from_our_own_pages() {
    Answer foreign = visitor.send("/logout", "https://evil.example", "x", "y");
    Answer nowhere = visitor.submitFromNowhere("/logout", "x", "y");

    assertThat(foreign.status()).isEqualTo(403);
    assertThat(nowhere.status()).isEqualTo(403);
    assertThat(foreign.body().asText()).contains("FOREIGN_ORIGIN");
    assertThat(visitor.look("/agents").status()).as("still signed in").isEqualTo(200);
  }

  @Test
  void all_assets_exist_and_are_small_and_cacheable() {
    int weight = visitor.page("/agents").length();
    for (String path : loaded(visitor.page("/agents"))) {
      Answer asset = visitor.look(path);
      assertThat(asset.status()).as(path).isEqualTo(200);
      assertThat(asset.header("Cache-Control")).as(path).contains("immutable");
      weight += asset.body().asText().length();
    }
    assertThat(weight).isLessThan(300_000);
  }

  /// Also the imports of scripts.
  private Set<String> loaded(String page) {
    var found = new TreeSet<String>();
    LINK.matcher(page).results().forEach(match -> found.add(match.group(1)));
    var open = new TreeSet<>(found);
    while (!open.isEmpty()) {
      String path = open.removeFirst();
      String folder = path.substring(0, path.lastIndexOf('/') + 1);
      IMPORT
          .matcher(visitor.look(path).body().asText())
          .results()
          .map(match -> folder + match.group(1))
          .filter(found::add)
          .forEach(open::add);
    }
    return found;
  }

  @Test
  void assets_of_other_builds_are_not_cached_and_gzip_is_equal() {
    String path = loaded(visitor.page("/agents")).iterator().next();
    String older = path.replaceFirst("/assets/[^/]+/", "/assets/older/");
    assertThat(visitor.look(older).header("Cache-Control")).isEqualTo("no-store");
    try (var browser = daemon.as("")) {
      Answer packed = browser.get(path, "Accept-Encoding", "gzip, br");
      assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(packed.header("Vary")).isEqualTo("Accept-Encoding");
    }
  }

  @Test
  void the_palette_finds_agents_and_pages() {
    daemon.createAgent("ada", "[]");
    assertThat(visitor.page("/palette"))
        .contains("data-path=\"/agents/ada\"", "data-path=\"/agents\"");
    for (int i = 100; i < 160; i++) {
      daemon.post("/api/agents", "{\"name\":\"agent " + i + "\"}");
    }
    assertThat(visitor.page("/palette").split("/agents/agent-", -1)).hasSizeLessThan(42);
    assertThat(visitor.page("/palette?q=age%20159")).contains("data-path=\"/agents/agent-159\"");
    assertThat(visitor.page("/palette?q=%25")).doesNotContain("data-path=\"/agents/agent-159\"");
  }
}
