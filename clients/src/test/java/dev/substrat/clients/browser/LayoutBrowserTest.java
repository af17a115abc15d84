package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import dev.substrat.clients.browser.Chromium.PageVariant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Layout checks: no overlapping or covered text, no wasted space.
@Timeout(300)
final class LayoutBrowserTest {
  private static final double LINE = 16;

  /// Minimum distance between two labels on the axis of a chart.
  private static final String LEAST_GAP =
      """
      () => Math.min(...[...document.querySelectorAll(".axis span + span")].map(one =>
        one.getBoundingClientRect().left - one.previousElementSibling.getBoundingClientRect().right))
      """;

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    pier.post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}");
    for (int i = 0; i < 12; i++) {
      pier.post(
          "/api/agents/ada/messages", "{\"text\":\"Are you there, for the " + i + "th time?\"}");
    }
  }

  private Page window(PageVariant look, String path) throws Exception {
    Page page = chromium.window(look);
    pier.admit(page);
    page.navigate(pier.url() + path);
    assertThat(page.locator("#connection")).hasText("Live");
    return page;
  }

  @ParameterizedTest
  @EnumSource
  void a_message_bubble_fits_its_text(PageVariant look) throws Exception {
    Page page = window(look, "/agents/ada");

    BoundingBox bubble = page.locator("#talk .text").first().boundingBox();
    BoundingBox words = page.locator("#talk .text .prose").first().boundingBox();

    assertThat(bubble.y + bubble.height - words.y - words.height).isLessThan(LINE);
  }

  /// On a small screen the middle label is left out.
  @ParameterizedTest
  @EnumSource(names = {"LIGHT", "DARK"})
  void axis_labels_of_a_chart_do_not_overlap(PageVariant look) throws Exception {
    Page page = window(look, "/health");
    assertThat(page.locator(".axis").getByText("max").first()).isVisible();

    assertThat(((Number) page.evaluate(LEAST_GAP)).doubleValue()).isGreaterThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource
  void the_notice_about_an_unreachable_daemon_is_not_covered(PageVariant look) throws Exception {
    Page page = window(look, "/agents/ada");
    pier.stop();
    assertThat(page.locator(".lost-note")).isVisible();
    page.getByText("Agents").first().click();
    assertThat(page.locator("#toast")).not().isEmpty();

    BoundingBox note = page.locator(".lost-note span").boundingBox();
    BoundingBox toast = page.locator("#toast").boundingBox();

    assertThat(toast.y).isGreaterThanOrEqualTo(note.y + note.height);
  }
}
