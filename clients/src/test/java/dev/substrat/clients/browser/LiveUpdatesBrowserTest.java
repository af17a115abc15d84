package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import dev.substrat.clients.browser.Chromium.PageVariant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Live updates of open pages.
@Timeout(300)
final class LiveUpdatesBrowserTest {
  /// Browsers wait before they reconnect.
  private static final double PATIENCE = 30_000;

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    page = chromium.window(PageVariant.LIGHT);
    pier.post("/api/agents", "{\"name\":\"ada\"}");
    pier.admit(page);
  }

  @Test
  void a_new_agent_appears_at_once_and_typed_text_stays() throws Exception {
    page.getByLabel("Search agents").pressSequentially("a");
    assertThat(page.locator("#connection")).hasText("Live");
    pier.post("/api/agents", "{\"name\":\"amara\"}");
    pier.post("/api/agents", "{\"name\":\"bo\"}");

    assertThat(page.locator("#agents")).containsText("amara");
    assertThat(page.locator("#agents h2")).hasText(new String[] {"ada", "amara"});
    assertThat(page.getByLabel("Search agents")).isFocused();
    assertThat(page.getByLabel("Search agents")).hasValue("a");
    chromium.requireContent();
  }

  @Test
  void a_restarted_daemon_is_noticed_and_no_update_is_missed() throws Exception {
    assertThat(page.locator("#connection")).hasText("Live");
    pier.stop();
    assertThat(page.locator("#connection"))
        .hasText("Reconnecting …", new HasTextOptions().setTimeout(PATIENCE));
    assertThat(page.getByText("The daemon is not reachable.")).isVisible();
    pier.startAgain();
    pier.post("/api/agents", "{\"name\":\"ben\"}");

    assertThat(page.locator("#connection"))
        .hasText("Live", new HasTextOptions().setTimeout(PATIENCE));
    assertThat(page.locator("#agents")).containsText("ben");
    pier.post("/api/agents", "{\"name\":\"noor\"}");
    assertThat(page.locator("#agents")).containsText("noor");
    chromium.requireContent();
  }

  @Test
  void a_tab_from_the_background_becomes_live_after_a_failed_request() throws Exception {
    Page later = page.context().newPage();
    later.addInitScript(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
    later.navigate(pier.url() + "/agents");
    pier.post("/api/agents", "{\"name\":\"ben\"}");
    answer(later, List.of(Route::abort));

    Chromium.comeBack(later);

    assertThat(later.locator("#agents")).containsText("ben");
    assertThat(later.locator("#connection")).hasText("Live");
    assertThat(later.getByText("The daemon is not reachable.")).isHidden();
    chromium.requireContent();
  }

  @Test
  void a_page_with_failed_updates_becomes_live_again() throws Exception {
    assertThat(page.locator("#connection")).hasText("Live");
    answer(
        page, List.of(route -> route.fulfill(new FulfillOptions().setStatus(500)), Route::abort));
    pier.post("/api/agents", "{\"name\":\"ben\"}");
    assertThat(page.locator("#connection")).hasText("Out of date");

    assertThat(page.locator("#agents"))
        .containsText("ben", new ContainsTextOptions().setTimeout(PATIENCE));
    assertThat(page.locator("#connection")).hasText("Live");
    assertThat(page.locator(".lost-note")).isHidden();
    chromium.requireContent();
  }

  /// Intercepts the next requests for the list of agents.
  private static void answer(Page page, List<Consumer<Route>> ways) {
    var left = new ArrayDeque<>(ways);
    page.route(
        Pattern.compile("/agents$"),
        route -> {
          if (left.isEmpty()) {
            route.resume();
          } else {
            left.remove().accept(route);
          }
        });
  }

  @Test
  void the_page_of_a_terminated_agent_offers_no_actions() throws Exception {
    Page team = page.context().newPage();
    team.navigate(pier.url() + "/team?who=ada");
    page.navigate(pier.url() + "/agents/ada");
    for (Page each : List.of(page, team)) {
      assertThat(each.locator("#connection")).hasText("Live");
      assertThat(each.getByLabel("Message to ada")).isVisible();
    }
    assertThat(page.getByText("Add one")).isVisible();

    pier.delete("/api/agents/ada");

    for (Page each : List.of(page, team)) {
      assertThat(each.getByLabel("Message to ada")).hasCount(0);
      assertThat(each.locator("main button.danger")).hasCount(0);
    }
    for (String offer :
        List.of("Add one", "Send a message to start one", "MCP clients", "Clone …")) {
      assertThat(page.getByText(offer)).hasCount(0);
    }
    chromium.requireContent();
  }

  @Test
  void a_space_shows_all_messages_after_a_restart_of_the_daemon() throws Exception {
    pier.post(
        "/api/spaces", "{\"name\":\"Deck\",\"wakePolicy\":\"none\",\"members\":[\"operator\"]}");
    say(1, 60);
    page.navigate(pier.url() + "/spaces/deck");
    assertThat(page.locator("#connection")).hasText("Live");
    assertThat(page.locator("[data-seq='60']")).hasCount(1);
    pier.stop();
    assertThat(page.locator("#connection"))
        .hasText("Reconnecting …", new HasTextOptions().setTimeout(PATIENCE));

    pier.startAgain();
    say(61, 100);

    assertThat(page.locator("#connection"))
        .hasText("Live", new HasTextOptions().setTimeout(PATIENCE));
    for (int seq = 11; seq <= 100; seq++) {
      assertThat(page.locator("[data-seq='" + seq + "']")).hasCount(1);
    }
    chromium.requireContent();
  }

  private void say(int first, int last) throws Exception {
    for (int i = first; i <= last; i++) {
      pier.post("/api/spaces/deck/messages", "{\"text\":\"Report " + i + ".\"}");
    }
  }
}
