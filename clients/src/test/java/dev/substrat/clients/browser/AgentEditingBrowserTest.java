package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.assertions.PageAssertions.HasURLOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.substrat.clients.browser.Chromium.PageVariant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Editing an agent in the browser without losing input.
@Timeout(300)
final class AgentEditingBrowserTest {
  private static final double PATIENCE = 30_000;

  private static final Pattern SAVED = Pattern.compile("/agents/ada(\\?.*)?$");

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    pier.post(
        "/api/agents", "{\"name\":\"ada\",\"skills\":[{\"name\":\"Knots\"},{\"name\":\"Songs\"}]}");
    page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    page.navigate(pier.url() + "/agents/ada/edit");
    assertThat(page.locator("#connection")).hasText("Live");
  }

  @Test
  void editing_continues_after_a_rejected_save() {
    page.getByLabel("Instructions").fill("Tie bowlines.");
    page.getByLabel("Custom tools").fill("- name: [");
    press("Save");
    assertThat(page.locator("#tools-wrong")).isVisible();
    assertThat(isUnsaved()).isTrue();

    page.getByLabel("Instructions").fill("Tie reef knots, all day long.");
    assertThat(page.locator("#compiled")).containsText("Tie reef knots");
    assertThat(page.locator("[data-tokens=systemPrompt]")).hasText("≈ 8 tokens");
    page.getByLabel("Custom tools").fill("");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(SAVED);
    assertThat(pier.peek("/api/agents/ada").path("systemPrompt").asText())
        .isEqualTo("Tie reef knots, all day long.");
    chromium.requireContent();
  }

  @Test
  void moved_and_removed_skills_are_unsaved_changes() {
    for (String act : List.of("Move down", "Group by category", "Remove skill")) {
      press(act);
      assertThat(isUnsaved()).as(act).isTrue();
      page.evaluate("delete document.getElementById('builder').dataset.dirty");
    }
    chromium.requireContent();
  }

  private boolean isUnsaved() {
    return (Boolean) page.evaluate("Boolean(document.querySelector('form[data-dirty]'))");
  }

  @Test
  void an_expired_session_is_reported_and_input_is_kept() throws Exception {
    var asked = new ArrayList<String>();
    page.onDialog(dialog -> {
      asked.add(dialog.type());
      dialog.dismiss();
    });
    page.getByLabel("Instructions").fill("An hour of work.");
    Page other = page.context().newPage();
    other.navigate(pier.url() + "/agents");
    other.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign out")).click();

    assertThat(page.locator("#connection")).hasText("Signed out", patiently());
    assertThat(page.locator(".lost-note a")).isVisible();
    press("Save");
    assertThat(page.locator("#toast")).containsText("You are signed out.");
    assertThat(page.getByLabel("Instructions")).hasValue("An hour of work.");
    pier.admit(other);
    assertThat(page.locator("#connection")).hasText("Live", patiently());
    press("Save");
    assertThat(page).hasURL(SAVED);
    assertThat(pier.get("/api/agents/ada").path("systemPrompt").asText())
        .isEqualTo("An hour of work.");
    assertThat(asked).isEmpty();
    chromium.requireContent("EventSource");
  }

  @Test
  void an_expired_session_keeps_the_input_of_a_dialog() {
    page.navigate(pier.url() + "/spaces");
    assertThat(page.locator("#connection")).hasText("Live");
    press("New space");
    page.locator("#space-kind").selectOption("private");
    Page other = page.context().newPage();
    other.navigate(pier.url() + "/agents");
    other.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName("Sign out")).click();

    assertThat(page.locator("#connection")).hasText("Signed out", patiently());
    assertThat(page.locator("#space-kind")).hasValue("private");
    // A discarded edit leaves no draft.
    page.keyboard().press("Escape");
    assertThat(page).hasURL(Pattern.compile("/login"), new HasURLOptions().setTimeout(PATIENCE));
    chromium.requireContent("EventSource");
  }

  private static HasTextOptions patiently() {
    return new HasTextOptions().setTimeout(PATIENCE);
  }

  @Test
  void pasted_text_stays_until_it_is_valid() {
    page.navigate(pier.url() + "/agents/new");
    page.locator("#begin summary").click();
    page.locator("#pasted").fill("name: [");
    press("Import");
    assertThat(page.locator("#pasted-wrong")).containsText("Line 1");
    assertThat(page.locator("#pasted")).hasValue("name: [");
    page.locator("#pasted").fill("---\nname: pdf\ndescription: Forms.\n---\n\nUse the names.");
    press("Import");

    assertThat(page.getByLabel("Skill name")).hasValue("pdf");
    assertThat(page).hasURL(pier.url() + "/agents/new");
    page.getByLabel("Instructions").fill("Fill in forms.");
    Chromium.leave(page);
    Response drawn =
        page.waitForResponse(
            one -> one.url().endsWith("/agents/new") && one.request().method().equals("GET"),
            () -> Chromium.comeBack(page));
    assertThat(drawn.status()).isEqualTo(200);
    assertThat(page.locator("#connection")).hasText("Live");
    assertThat(page.locator(".lost-note")).isHidden();
    chromium.requireContent();
  }

  @Test
  void a_category_named_by_a_skill_is_created_with_a_colour() {
    page.getByLabel("Category", new Page.GetByLabelOptions().setExact(true)).first().fill("Ropes");
    page.keyboard().press("Tab");

    assertThat(page.locator("[data-category-name]")).hasValue("Ropes");
    assertThat(page.locator("[data-category-colour]")).not().hasValue("stone");
    assertThat(page.locator("[data-skill-category]").first())
        .not()
        .hasClass(Pattern.compile(".*stone.*"));
    page.getByLabel("Category", new Page.GetByLabelOptions().setExact(true)).first().fill("Bends");
    page.keyboard().press("Tab");
    assertThat(page.locator("[data-category-name]")).hasCount(1);
    assertThat(page.locator("[data-category-name]")).hasValue("Bends");
    // Saved before it was left.
    page.locator("[data-skill-category]").last().fill("Music");
    page.keyboard().press("Control+s");
    assertThat(page).hasURL(SAVED);
    assertThat(pier.peek("/api/agents/ada/categories").path("categories").findValuesAsText("name"))
        .containsExactly("Bends", "Music");
    assertThat(
            pier.peek("/api/agents/ada/categories").path("categories").findValuesAsText("colour"))
        .doesNotContain("stone")
        .doesNotHaveDuplicates();
    chromium.requireContent();
  }

  private void press(String name) {
    page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name)).first().click();
  }
}
