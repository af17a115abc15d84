package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.PageVariant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Watching a running team and inspecting a turn in the browser.
@Timeout(300)
final class TeamPageBrowserTest {
  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    page.locator("text=Create harbor team").click();
    assertThat(page.locator("h1")).hasText("mira");
  }

  @Test
  void the_team_page_updates_while_an_agent_runs_and_typed_text_stays() throws Exception {
    page.navigate(pier.url() + "/team");
    assertThat(page.locator("#connection")).hasText("Live");
    page.locator("a.node[aria-label^=mira]:visible").click();
    page.getByLabel("Message to mira").fill("half a sentence");

    pier.post("/api/agents/mira/messages", "{\"text\":\"Can we sail?\",\"sync\":true}");

    assertThat(page.locator(".waits path[id^=w-]").first()).isAttached();
    assertThat(page.locator(".past")).containsText("Yes, we are ready.");
    assertThat(page.locator(".waits path[id^=w-]")).hasCount(0);
    assertThat(page.getByLabel("Message to mira")).hasValue("half a sentence");
    page.goBack();
    assertThat(page.locator("aside")).hasCount(0);
    chromium.requireContent();
  }

  @Test
  void a_run_is_opened_inspected_and_replayed() throws Exception {
    page.navigate(pier.url() + "/runs?agent=mira");
    assertThat(page.locator("#connection")).hasText("Live");
    pier.post("/api/agents/mira/messages", "{\"text\":\"Can we sail at noon?\"}");
    assertThat(page.locator(".runs li")).hasCount(3);

    page.getByText("mira, turn 1").click();
    page.locator(".waterfall summary").first().click();
    assertThat(page.locator(".waterfall")).containsText("How is the engine?");
    page.getByText("Replay").click();
    assertThat(page.locator("#replay-title")).containsText("The replay matches the record");
    page.keyboard().press("k");
    assertThat(page.locator("h1")).hasText("mira, turn 2");
    chromium.requireContent();
  }

  @Test
  void the_details_of_an_agent_open_and_close_by_keyboard() {
    page.navigate(pier.url() + "/team");
    assertThat(page.locator("#connection")).hasText("Live");
    page.locator("a.node[aria-label^=mira]:visible").focus();

    page.keyboard().press("Enter");
    assertThat(page.locator("#agent-detail-title a")).isFocused();
    page.keyboard().press("c");
    assertThat(page.getByLabel("Message to mira")).isFocused();
    page.keyboard().press("Escape");
    page.keyboard().press("Escape");

    assertThat(page.locator("aside")).hasCount(0);
    assertThat(page.locator("a.node[aria-label^=mira]:visible")).isFocused();
    chromium.requireContent();
  }

  @Test
  void runs_are_navigated_by_keyboard() throws Exception {
    page.navigate(pier.url() + "/runs?agent=mira");
    assertThat(page.locator("#connection")).hasText("Live");
    pier.post("/api/agents/mira/messages", "{\"text\":\"Can we sail at noon?\"}");
    assertThat(page.locator(".runs li")).hasCount(3);

    page.keyboard().press("j");
    page.keyboard().press("j");
    assertThat(page.locator(".runs li").nth(1)).isFocused();
    page.keyboard().press("Enter");

    assertThat(page.locator("h1")).hasText("mira, turn 2");
    chromium.requireContent();
  }
}
