package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import dev.substrat.clients.browser.Chromium.PageVariant;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Drafts, unread counts and navigation between pages.
@Timeout(300)
final class NavigationBrowserTest {
  private static final String ADA =
      """
      {"name":"ada","provider":{"name":"scripted","playbook":[
        {"when":{"kind":"message"},"do":[{"say":"# Aye\\n- *ready*\\n- [log](https://a.example/log)"}]}]}}
      """;

  private static final double PATIENCE = 30_000;

  @TempDir private Path data;
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = new Chromium();
    pier = new RestartableDaemon(data);
    pier.post("/api/agents", ADA);
    pier.post("/api/tokens", "{\"person\":\"ana\"}");
    pier.post("/api/spaces", "{\"name\":\"Deck\",\"members\":[\"operator\",\"ana\"]}");
    page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
  }

  @AfterEach
  void close() {
    if (pier != null) {
      pier.close();
    }
    chromium.close();
  }

  private void go(String path) {
    page.navigate(pier.url() + path);
    assertThat(page.locator("#connection")).hasText("Live");
  }

  private Locator badge(String path) {
    return page.locator("#nav a[href='" + path + "'] .count");
  }

  @Test
  void drafts_are_kept_until_they_are_sent() {
    go("/spaces/deck");
    page.locator("#say").fill("half a sent");
    go("/agents/ada");
    page.getByLabel("Message to ada").fill("Are you");
    go("/spaces/deck");
    assertThat(page.locator("#say")).hasValue("half a sent");
    go("/team?who=ada");
    assertThat(page.getByLabel("Message to ada")).hasValue("Are you");

    go("/spaces/deck");
    page.locator("#say").press("Enter");
    assertThat(page.locator("#say")).hasValue("");
    go("/agents");
    go("/spaces/deck");
    assertThat(page.locator("#say")).hasValue("");

    page.getByLabel("Sign out operator").click();
    assertThat(page).hasURL(Pattern.compile(".*/login"));
    assertThat(page.evaluate("sessionStorage.length")).isEqualTo(0);
    chromium.requireContent();
  }

  @Test
  void an_answer_shown_on_the_agents_page_counts_as_read() throws Exception {
    go("/runs");
    pier.post("/api/agents/ada/messages", "{\"text\":\"Ready?\",\"sync\":true}");
    assertThat(badge("/mail")).containsText("1");

    go("/agents/ada");

    assertThat(page.locator("#talk .heading")).hasText("Aye");
    assertThat(page.locator("#talk .prose li em")).hasText("ready");
    assertThat(page.locator("#talk .prose a")).hasAttribute("href", "https://a.example/log");
    assertThat(badge("/mail")).hasCount(0);
    chromium.requireContent();
  }

  @Test
  void unread_space_messages_are_counted_until_they_are_read() throws Exception {
    go("/agents");
    assertThat(badge("/spaces")).hasCount(0);
    String token = pier.post("/api/tokens", "{\"person\":\"ana\"}").path("token").asText();

    pier.postAs(token, "/api/spaces/deck/messages", "{\"text\":\"Land!\"}");
    pier.postAs(token, "/api/spaces/deck/messages", "{\"text\":\"Look!\"}");

    assertThat(badge("/spaces")).containsText("1");
    go("/spaces/deck");
    assertThat(badge("/spaces")).hasCount(0);
    chromium.requireContent();
  }

  @Test
  void errors_are_visible_and_cover_no_other_element() {
    go("/spaces");
    page.keyboard().press("n");
    page.locator("#space-name").fill("Crew");
    page.locator("#space-members").fill("adda");
    page.locator("#new-space button.main").click();
    Locator alert = page.locator("#new-space [role=alert]");
    assertThat(alert).containsText("No agent or person is named adda");
    assertThat(alert).not().containsText("/api");
    assertThat(page.locator("#toast")).hasText("");
    page.locator("#space-members").fill("ada");
    page.locator("#new-space button.main").click();
    assertThat(page.locator("h1")).containsText("Crew");

    page.evaluate("document.getElementById('toast').textContent = 'So it is.'");
    var toast = page.locator("#toast").boundingBox();
    assertThat(toast.y + toast.height).isLessThan(page.locator("#say").boundingBox().y - 300);
    page.evaluate("document.getElementById('toast').textContent = ''");
    chromium.requireContent();
  }

  @Test
  void a_link_does_not_leave_the_page_while_the_daemon_is_stopped() {
    go("/agents");
    pier.stop();
    assertThat(page.locator("#connection"))
        .hasText("Reconnecting …", new HasTextOptions().setTimeout(PATIENCE));

    page.locator("#nav a[href='/runs']").click();

    assertThat(page.locator("#toast")).containsText("Links work again");
    assertThat(page.locator("h1")).hasText("Agents");
    pier.startAgain();
    assertThat(page.locator("#connection"))
        .hasText("Live", new HasTextOptions().setTimeout(PATIENCE));
    page.locator("#nav a[href='/runs']").click();
    assertThat(page.locator("h1")).hasText("Runs");
    chromium.requireContent();
  }
}
