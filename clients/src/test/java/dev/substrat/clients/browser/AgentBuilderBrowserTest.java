package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.options.AriaRole;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.testkit.Requirement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Creating agents and sending messages to them in the browser.
@Timeout(300)
final class AgentBuilderBrowserTest {
  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() {
    chromium = lookout.chromium();
    pier = lookout.pier();
    page = chromium.window(PageVariant.LIGHT);
  }

  @Test
  void signing_in_with_a_token_opens_the_requested_page() throws Exception {
    page.navigate(pier.url() + "/agents/new");
    page.getByLabel("Token").fill("nonsense");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("not valid for the console");
    page.getByLabel("Token").fill(pier.token());
    page.keyboard().press("Enter");

    assertThat(page).hasURL(pier.url() + "/agents/new");
    assertThat(page.locator("#connection")).hasText("Live");
    press("Sign out");
    assertThat(page).hasURL(pier.url() + "/login");
    chromium.requireContent();
  }

  @Test
  void a_failed_view_transition_is_no_error() {
    page = chromium.lively(PageVariant.LIGHT);
    page.addInitScript(
        """
        addEventListener("pagereveal", ({ viewTransition }) => {
          if (viewTransition) window.wasSkipped = true;
          viewTransition?.skipTransition();
        });
        """);
    page.navigate(pier.url() + "/login");
    page.getByLabel("Token").fill("nonsense");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("not valid for the console");

    assertThat(page.evaluate("window.wasSkipped")).isEqualTo(true);
    chromium.requireContent();
  }

  @Test
  @Requirement({"S2-2", "S2-3"})
  void an_agent_is_built_with_skills_and_the_preview_follows() throws Exception {
    pier.admit(page);
    page.navigate(pier.url() + "/agents/new");
    page.getByLabel("Name", exact()).fill("Códe  Wizard!");
    assertThat(page.locator("#handle")).hasAttribute("placeholder", "code-wizard");
    page.getByLabel("Name", exact()).fill("Code Wizard");
    page.getByLabel("Instructions").fill("You are concise.");
    assertThat(page.locator("#compiled"))
        .containsText("You are now Code Wizard. Use agentId=code-wizard");
    addSkill("Types", "Prefer strict types.");
    addSkill("Haste", "Hurry.");
    assertThat(page.locator("#compiled")).containsText(Pattern.compile("Types[\\s\\S]*Haste"));

    // Toggles and reorders by keyboard.
    page.getByLabel("Enable skill").first().focus();
    page.keyboard().press("Space");
    assertThat(page.locator("#compiled")).not().containsText("Prefer strict");
    page.keyboard().press("Space");
    page.getByLabel("Move down").first().focus();
    page.keyboard().press("Enter");
    assertThat(page.locator("#compiled")).containsText(Pattern.compile("Haste[\\s\\S]*Types"));
    drag("Types", "Haste");
    assertThat(page.locator("#compiled")).containsText(Pattern.compile("Types[\\s\\S]*Haste"));

    press("Create");
    assertThat(page).hasURL(Pattern.compile(".*/agents/code-wizard(\\?.*)?"));
    assertThat(page.locator("#toast")).hasText("Created.");
    assertThat(pier.get("/api/agents/code-wizard/prompt").path("prompt").asText())
        .contains("### Types\nPrefer strict types.\n\n### Haste\nHurry.");
    chromium.requireContent();
  }

  private void addSkill(String name, String text) {
    press("Add skill");
    page.getByLabel("Skill name").last().fill(name);
    page.getByLabel("Skill text").last().fill(text);
  }

  /// Drags a skill above another one.
  private void drag(String skill, String above) {
    var from = row(skill).locator("[data-grip]").boundingBox();
    var to = row(above).boundingBox();
    page.mouse().move(from.x + 4, from.y + 4);
    page.mouse().down();
    page.mouse().move(from.x + 4, from.y - 10);
    page.mouse().move(from.x + 4, to.y + 4);
    page.mouse().up();
  }

  private Locator row(String skill) {
    return page.locator("#skills [data-item]").nth(indexOf(skill));
  }

  private int indexOf(String skill) {
    List<?> names =
        (List<?>)
            page.evaluate(
                "[...document.querySelectorAll('#skills [data-item]')]"
                    + ".map(row => row.querySelector('input[id$=\".name\"]').value)");
    return names.indexOf(skill);
  }

  @Test
  void errors_are_shown_at_their_fields_and_input_is_kept() throws Exception {
    pier.admit(page);
    page.navigate(pier.url() + "/agents/new");
    page.getByLabel("Name", exact()).fill("ada");
    page.getByLabel("Instructions").fill("A long text that took an hour.");
    page.getByLabel("Custom tools").fill("- name: [");
    press("Create");

    assertThat(page.locator("#tools-wrong")).isVisible();
    assertThat(page.locator("#tools")).isFocused();
    assertThat(page.getByLabel("Instructions")).hasValue("A long text that took an hour.");
    pier.stop();
    press("Create");
    assertThat(page.locator("#toast")).containsText("Your input is kept");
    assertThat(page.getByLabel("Instructions")).hasValue("A long text that took an hour.");
    pier.startAgain();
    page.getByLabel("Custom tools").fill("");
    press("Create");
    assertThat(page).hasURL(Pattern.compile(".*/agents/ada(\\?.*)?"));
    chromium.requireContent();
  }

  @Test
  void the_example_team_answers_live_on_the_page() throws Exception {
    pier.admit(page);
    press("Create harbor team");
    assertThat(page).hasURL(Pattern.compile(".*/agents/mira.*"));
    page.getByLabel("Message to mira").fill("Can we sail at noon?");
    page.keyboard().press("Enter");

    assertThat(page.locator("#talk")).containsText("Can we sail at noon?");
    assertThat(page.locator("#talk")).containsText("Yes, we are ready.");
    assertThat(page.getByLabel("Message to mira")).hasValue("");
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    page.getByRole(AriaRole.COMBOBOX).fill("noo");
    assertThat(page.getByRole(AriaRole.OPTION, new GetByRoleOptions().setSelected(true)))
        .containsText("noor");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(pier.url() + "/agents/noor");
    chromium.requireContent();
  }

  @Test
  void irreversible_actions_ask_for_confirmation() throws Exception {
    pier.post("/api/agents", "{\"name\":\"ada\"}");
    pier.admit(page);
    page.navigate(pier.url() + "/agents/ada");
    press("Terminate");
    press("Cancel");
    assertThat(pier.get("/api/agents").path("agents")).hasSize(1);
    press("Terminate");
    page.locator("#confirm [value=yes]").click();
    assertThat(page).hasURL(Pattern.compile(".*/agents\\?said=terminated"));
    assertThat(pier.get("/api/agents").path("agents")).isEmpty();
    chromium.requireContent();
  }

  private void press(String name) {
    page.getByRole(AriaRole.BUTTON, new GetByRoleOptions().setName(name)).first().click();
  }

  private static Page.GetByLabelOptions exact() {
    return new Page.GetByLabelOptions().setExact(true);
  }
}
