package dev.substrat.clients.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import dev.substrat.testkit.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The installed Chromium. Without one, its tests are skipped; in CI they fail.
///
/// Script errors, missing files and violations of the content policy on any page fail the test.
final class Chromium implements AutoCloseable {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private static final String HIDE =
      """
      isHidden => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }
      """;

  private final Playwright playwright;
  private final Browser browser;
  private final List<String> complaints = new ArrayList<>();

  Chromium() {
    Path executable = Prerequisite.require(program(), "chromium is not installed");
    this.playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    this.browser =
        playwright
            .chromium()
            .launch(
                new LaunchOptions().setExecutablePath(executable).setArgs(List.of("--no-sandbox")));
  }

  private static Optional<Path> program() {
    return PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /// Viewport and colour scheme of a page.
  enum PageVariant {
    LIGHT(1440, 900, ColorScheme.LIGHT),
    DARK(1440, 900, ColorScheme.DARK),
    NARROW(390, 844, ColorScheme.LIGHT);

    private final int width;
    private final int height;
    private final ColorScheme scheme;

    PageVariant(int width, int height, ColorScheme scheme) {
      this.width = width;
      this.height = height;
      this.scheme = scheme;
    }
  }

  /// A browser context without a session.
  Page window(PageVariant look) {
    return window(look, ReducedMotion.REDUCE);
  }

  /// The same with animations.
  Page lively(PageVariant look) {
    return window(look, ReducedMotion.NO_PREFERENCE);
  }

  /// A phone with a touch screen.
  Page glass() {
    return window(
        options(PageVariant.NARROW, ReducedMotion.REDUCE).setHasTouch(true).setIsMobile(true));
  }

  private Page window(PageVariant look, ReducedMotion motion) {
    return window(options(look, motion));
  }

  private static NewContextOptions options(PageVariant look, ReducedMotion motion) {
    return new NewContextOptions()
        .setViewportSize(look.width, look.height)
        .setColorScheme(look.scheme)
        .setReducedMotion(motion);
  }

  private Page window(NewContextOptions options) {
    var context = browser.newContext(options);
    context.setDefaultTimeout(15_000);
    Page page = context.newPage();
    page.onPageError(error -> complaints.add("script: " + error));
    page.onConsoleMessage(message -> {
      // The browser also reports error responses of the daemon; these are not browser errors.
      if (message.type().equals("error") && !message.text().startsWith("Failed to load resource")) {
        complaints.add(message.text());
      }
    });
    return page;
  }

  /// Simulates a hidden tab.
  static void leave(Page page) {
    page.evaluate(HIDE, true);
  }

  /// Simulates a visible tab.
  static void comeBack(Page page) {
    page.evaluate(HIDE, false);
  }

  /// Asserts that there were no errors since the last call, except those that start with
  /// `expected`.
  void requireContent(String... expected) {
    assertThat(complaints)
        .filteredOn(one -> Stream.of(expected).noneMatch(one::contains))
        .isEmpty();
    complaints.clear();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
