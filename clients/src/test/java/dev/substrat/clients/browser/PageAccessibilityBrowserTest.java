package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.platform.json.Yaml;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.NpmPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Checks every page, light, dark and narrow: accessible for screen readers and keyboard, no
/// overflow, no script errors. `scripts/screenshots` keeps pictures of them.
@Timeout(600)
final class PageAccessibilityBrowserTest {
  private static final String AXE = "axe-core@4.10.3";
  private static final boolean KEEPS = Boolean.getBoolean("substrat.screenshots");
  private static final ScreenshotWriter ALBUM =
      new ScreenshotWriter(Path.of("../docs/screenshots"));

  /// Names and paths of the pages; a word in braces is a placeholder for an id.
  private static final Map<String, String> PAGES = new LinkedHashMap<>();

  /// Pages that a person who is not the operator can open.
  private static final Map<String, String> OF_ANA = new LinkedHashMap<>();

  /// Pages with dialogs to open.
  private static final List<String> WITH_DIALOGS =
      List.of("/spaces", "/spaces/deck", "{run}", "/agents");

  static {
    PAGES.put("agents", "/agents");
    PAGES.put("agents-none-found", "/agents?q=nobody");
    PAGES.put("agent", "/agents/mira");
    PAGES.put("agent-new", "/agents/new");
    PAGES.put("agent-edit", "/agents/mira/edit");
    PAGES.put("agent-versions", "/agents/mira/versions");
    PAGES.put("spaces", "/spaces");
    PAGES.put("space", "/spaces/deck");
    PAGES.put("thread", "{thread}");
    PAGES.put("approvals", "/approvals");
    PAGES.put("messages", "/mail");
    PAGES.put("messages-all", "/mail?folder=all");
    PAGES.put("messages-dead", "/mail?folder=dead");
    PAGES.put("messages-held", "/mail?folder=held");
    PAGES.put("message", "{message}");
    PAGES.put("team", "/team");
    PAGES.put("team-detail", "/team?who=ada");
    PAGES.put("runs", "/runs");
    PAGES.put("runs-none-found", "/runs?status=cancelled");
    PAGES.put("run", "{run}");
    PAGES.put("run-live", "{running}");
    PAGES.put("health", "/health");
    PAGES.put("health-servers", "/health#servers");
    PAGES.put("health-budgets", "/health#budgets");
    PAGES.put("nothing-here", "/nowhere");
    OF_ANA.put("person-spaces", "/spaces");
    OF_ANA.put("person-space", "/spaces/deck");
    OF_ANA.put("person-approvals", "/approvals");
  }

  @TempDir private static Path busy;
  private static ScreenshotTeam day;

  @TempDir private Path data;
  private NpmPrograms axe;
  private Chromium chromium;
  private RestartableDaemon pier;

  /// Errors found on the checked pages.
  private final List<String> faults = new ArrayList<>();

  @BeforeAll
  static void work() throws Exception {
    // Without a browser the team is not started.
    new Chromium().close();
    day = new ScreenshotTeam(busy);
  }

  @AfterAll
  static void rest() {
    if (day != null) {
      day.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    axe = NpmPrograms.require(AXE);
    chromium = new Chromium();
    pier = day.pier();
  }

  @AfterEach
  void close() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void pages_of_an_empty_daemon_have_no_accessibility_or_layout_errors(PageVariant look)
      throws Exception {
    try (var empty = new RestartableDaemon(data)) {
      Page page = chromium.window(look);
      page.navigate(empty.url() + "/agents");
      check(page, "login", look);
      empty.admit(page);
      check(page, "welcome", look);
      page.navigate(empty.url() + "/spaces");
      check(page, "spaces-none", look);
      page.navigate(empty.url() + "/approvals");
      check(page, "approvals-none", look);
      requireSound();
    }
  }

  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void every_page_has_no_accessibility_or_layout_errors(PageVariant look) throws Exception {
    Page page = chromium.window(look);
    pier.admit(page);
    for (var entry : PAGES.entrySet()) {
      go(page, entry.getValue());
      check(page, entry.getKey(), look);
    }
    go(page, "/agents");
    page.keyboard().press("?");
    check(page, "keys", look);
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    assertThat(page.locator("#palette-list li")).not().hasCount(0);
    check(page, "palette", look);
    requireSound();
  }

  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void dialogs_and_form_errors_have_no_accessibility_or_layout_errors(PageVariant look)
      throws Exception {
    Page page = chromium.window(look);
    pier.admit(page);
    for (String path : WITH_DIALOGS) {
      go(page, path);
      for (Locator opener : page.locator("main [data-open]:visible").all()) {
        String name = opener.getAttribute("data-open");
        opener.click();
        assertThat(page.locator("dialog#" + name)).isVisible();
        check(page, "dialog-" + name, look);
        page.keyboard().press("Escape");
      }
    }
    go(page, "/agents/ada");
    page.locator("[data-confirm^=Terminate]").click();
    check(page, "dialog-confirm", look);
    page.keyboard().press("Escape");
    go(page, "/agents/new");
    page.locator("#name").fill("Ada's twin");
    page.locator("#settings").fill("playbook: [");
    page.locator("button[form=builder]").first().click();
    assertThat(page.locator(".problem")).isVisible();
    check(page, "agent-refused", look);
    requireSound();
  }

  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void pages_of_a_person_have_no_accessibility_or_layout_errors(PageVariant look) throws Exception {
    Page page = chromium.window(look);
    page.navigate(pier.url() + "/spaces");
    page.getByLabel("Token").fill(day.ana());
    page.keyboard().press("Enter");
    assertThat(page.locator("h1")).hasText("Spaces");
    for (var entry : OF_ANA.entrySet()) {
      go(page, entry.getValue());
      check(page, entry.getKey(), look);
    }
    requireSound();
  }

  private static final String ASKER =
      """
      name: asker
      tools:
        - name: delete_files
          description: Deletes files.
          executionType: space
          display: { customUI: approval, title: "Delete these files?" }
      provider:
        name: scripted
        playbook:
          - when: { kind: space_message }
            do:
              - { call: enter_space, with: { spaceId: deck } }
              - { call: delete_files, with: {
                  action: "Delete the old report. Details: [docs.example](https://docs.exаmple.evil.example/x)",
                  path: "/srv/report\\u202Efdp.sh\\u200B\\U000E0041",
                  reason: "{{event.text}}" } }
      """;

  /// A text that turns, hides and imitates, and 5,000 characters of it.
  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void an_approval_with_hostile_text_has_no_accessibility_or_layout_errors(PageVariant look)
      throws Exception {
    try (var harbor = new RestartableDaemon(data)) {
      Page page = chromium.window(look);
      harbor.admit(page);
      harbor.post("/api/agents", Yaml.own(ASKER).toString());
      harbor.post("/api/spaces", "{\"id\":\"deck\",\"name\":\"Deck\",\"members\":[\"asker\"]}");
      String reason = "The disk is full. ".repeat(278);
      harbor.post("/api/spaces/deck/messages", "{\"text\":\"%s\"}".formatted(reason));
      Await.until(
          () -> harbor.peek("/api/pending").path("pending").size() == 1,
          () -> harbor.peek("/api/pending").toPrettyString());
      page.navigate(harbor.url() + "/approvals");
      // Before the arguments, which may be longer than the window.
      assertThat(page.getByText("The arguments contain hidden characters")).isInViewport();
      check(page, "approval-hostile", look);
      requireSound();
    }
  }

  private void requireSound() {
    chromium.requireContent();
    assertThat(faults).isEmpty();
  }

  private void go(Page page, String path) {
    boolean hasId = path.startsWith("{");
    page.navigate(pier.url() + (hasId ? day.address(path.substring(1, path.length() - 1)) : path));
  }

  private void check(Page page, String name, PageVariant look) throws Exception {
    page.waitForLoadState();
    if (page.locator("#connection").count() > 0) {
      assertThat(page.locator("#connection")).hasText("Live");
    }
    if (!(Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth")) {
      faults.add(name + " is wider than the window");
    }
    page.evaluate(Files.readString(axe.file("axe-core/axe.min.js")) + ";true");
    List<?> wrong =
        (List<?>)
            page.evaluate(
                """
                axe.run(document, { resultTypes: ["violations"] }).then(result => result.violations
                  .map(one => one.id + ": " + one.nodes.map(node => node.html.slice(0, 120)
                    + " " + (node.any[0]?.message ?? "")).join(" | ")))
                """);
    wrong.forEach(one -> faults.add(name + ": " + one));
    if (KEEPS) {
      ALBUM.keep(name + "-" + look.name().toLowerCase(Locale.ROOT), page.screenshot());
    }
  }
}
