package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.ScreenshotOptions;
import dev.substrat.clients.browser.Chromium.Look;
import dev.substrat.testkit.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every page, light, dark and narrow: nothing on it is out of reach for somebody who hears it or
/// uses the keyboard, and nothing breaks. `scripts/screenshots` keeps pictures of them.
@Timeout(600)
final class PagesTest {
  private static final String AXE = "axe-core@4.10.3";
  private static final boolean KEEPS = Boolean.getBoolean("substrat.screenshots");
  private static final Path PICTURES = Path.of("../docs/screenshots");

  /// What each page is called, and where it is.
  private static final Map<String, String> PAGES = new LinkedHashMap<>();

  static {
    PAGES.put("agents", "/agents");
    PAGES.put("agents-none-found", "/agents?q=nobody");
    PAGES.put("agent", "/agents/mira");
    PAGES.put("agent-new", "/agents/new");
    PAGES.put("agent-edit", "/agents/mira/edit");
    PAGES.put("agent-versions", "/agents/mira/versions");
    PAGES.put("team", "/team");
    PAGES.put("team-closer", "/team?who=mira");
    PAGES.put("runs", "/runs");
    PAGES.put("runs-none-found", "/runs?status=cancelled");
    PAGES.put("health", "/health");
    PAGES.put("nothing-here", "/nowhere");
  }

  @TempDir private Path data;
  private Npm axe;
  private Chromium chromium;
  private Pier pier;

  @BeforeEach
  void open() throws Exception {
    axe =
        Npm.find(AXE)
            .orElseGet(() -> Assumptions.abort("npm is not here, and " + AXE + " comes from it"));
    chromium = new Chromium();
    pier = new Pier(data);
  }

  @AfterEach
  void close() {
    if (pier != null) {
      pier.close();
    }
    if (chromium != null) {
      chromium.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Look.class)
  void every_page_is_sound(Look look) throws Exception {
    Page page = chromium.window(look);
    page.navigate(pier.url() + "/agents");
    check(page, "login", look);
    pier.admit(page);
    check(page, "welcome", look);
    page.locator("text=Create the harbor team").click();
    assertThat(page.locator("h1")).hasText("mira");
    page.getByLabel("Message to mira").fill("Can we sail at noon?");
    page.keyboard().press("Control+Enter");
    assertThat(page.locator("#talk")).containsText("Yes, we are ready.");
    change();
    for (var entry : PAGES.entrySet()) {
      page.navigate(pier.url() + entry.getValue());
      check(page, entry.getKey(), look);
    }
    page.navigate(pier.url() + "/agents");
    page.keyboard().press("?");
    check(page, "keys", look);
    page.keyboard().press("Escape");
    page.keyboard().press("Control+k");
    assertThat(page.locator("#palette-list li")).not().hasCount(0);
    check(page, "palette", look);
    chromium.requireContent();
  }

  /// So that there is a version to compare.
  private void change() throws Exception {
    var skills = pier.get("/api/agents/mira/skills");
    ((ObjectNode) skills.path("skills").get(2)).put("enabled", true);
    pier.put("/api/agents/mira/skills", skills.toString());
  }

  private void check(Page page, String name, Look look) throws Exception {
    page.waitForLoadState();
    if (page.locator("#connection").count() > 0) {
      assertThat(page.locator("#connection")).hasText("Live");
    }
    assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .as("%s fits, %s", name, look)
        .isTrue();
    page.evaluate(Files.readString(axe.file("axe-core/axe.min.js")) + ";true");
    List<?> wrong =
        (List<?>)
            page.evaluate(
                """
                axe.run(document, { resultTypes: ["violations"] }).then(result => result.violations
                  .map(one => one.id + ": " + one.nodes.map(node => node.html.slice(0, 120)
                    + " " + (node.any[0]?.message ?? "")).join(" | ")))
                """);
    assertThat(wrong).as("%s, %s", name, look).isEmpty();
    if (KEEPS) {
      String file = name + "-" + look.name().toLowerCase(Locale.ROOT) + ".png";
      page.screenshot(new ScreenshotOptions().setPath(PICTURES.resolve(file)));
    }
  }
}
