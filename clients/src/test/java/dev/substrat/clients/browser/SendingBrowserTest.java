package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.substrat.clients.browser.Chromium.PageVariant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Messages are sent once, and messages of others are not missed.
@Timeout(300)
final class SendingBrowserTest {
  /// Scrolls through the history and checks that no message is missing.
  private static final String LEAF_BACK =
      """
      wanted => {
        const list = document.getElementById("scroll");
        const gap = list.querySelector("[data-between]");
        if (gap) gap.scrollIntoView();
        else list.scrollTop = -list.scrollHeight;
        return list.querySelectorAll("[data-seq]").length >= wanted && !gap;
      }
      """;

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    pier.post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}");
    pier.post("/api/spaces", "{\"name\":\"Deck\",\"members\":[\"operator\"]}");
    page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
  }

  private void report(int from, int to) throws Exception {
    for (int i = from; i <= to; i++) {
      pier.post("/api/spaces/deck/messages", "{\"text\":\"Report " + i + ".\"}");
    }
  }

  @Test
  void no_message_is_missing_after_an_absence_of_more_than_a_page() throws Exception {
    report(1, 10);
    page.navigate(pier.url() + "/spaces/deck");
    assertThat(page.locator("#connection")).hasText("Live");
    Chromium.leave(page);
    report(11, 130);
    Chromium.comeBack(page);

    assertThat(page.getByText("Report 130.")).isInViewport();
    page.waitForFunction(LEAF_BACK, 130);
    Object shown =
        page.evaluate(
            "[...document.querySelectorAll('#scroll [data-seq]')].map(one => +one.dataset.seq)");
    assertThat(((List<?>) shown).stream().map(one -> ((Number) one).longValue()).toList())
        .isEqualTo(LongStream.rangeClosed(1, 130).boxed().toList());
    report(131, 131);
    assertThat(page.getByText("Report 131.")).hasCount(1);
    chromium.requireContent();
  }

  @Test
  void a_double_key_press_sends_once() {
    var held = new ArrayList<Route>();
    page.navigate(pier.url() + "/agents/ada");
    page.route("**/agents/ada/messages", held::add);
    page.getByLabel("Message to ada").fill("Are you there?");
    page.keyboard().press("Control+Enter");
    page.keyboard().press("Control+Enter");
    // Everything sent before this was shown before it.
    page.evaluate("fetch('/palette').then(() => null)");
    assertThat(held).hasSize(1);
    // Text typed meanwhile is kept.
    page.getByLabel("Message to ada").fill("Hello?");
    held.getFirst().resume();

    assertThat(page.locator("#talk li.ours")).hasCount(1);
    assertThat(page.locator("#talk")).containsText("Are you there?");
    assertThat(page.getByLabel("Message to ada")).hasValue("Hello?");
    chromium.requireContent();
  }

  @Test
  void a_retry_with_the_same_text_is_one_message_and_another_text_a_second_one() {
    page.navigate(pier.url() + "/spaces/deck");
    assertThat(page.locator("#connection")).hasText("Live");
    loseTheAnswerTo("Ahoy!");
    page.keyboard().press("Enter");
    assertThat(page.locator("#say")).hasValue("");
    assertThat(page.locator("#newest .space-entry")).hasCount(1);

    loseTheAnswerTo("Who is on wach?");
    page.locator("#say").fill("Who is on watch?");
    page.keyboard().press("Enter");
    assertThat(page.locator("#say")).hasValue("");
    assertThat(page.locator("#newest .space-entry")).hasCount(3);
    chromium.requireContent();
  }

  @Test
  void on_a_touch_screen_enter_starts_a_new_line_and_the_button_sends() throws Exception {
    Page glass = chromium.glass();
    pier.admit(glass);
    glass.navigate(pier.url() + "/spaces/deck");
    glass.locator("#say").pressSequentially("Two");
    assertThat(glass.locator("#say")).hasAttribute("enterkeyhint", "enter");
    glass.keyboard().press("Enter");
    glass.locator("#say").pressSequentially("lines");
    assertThat(glass.locator("#say")).hasValue("Two\nlines");
    glass.locator("#composer button.main").tap();
    assertThat(glass.locator("#say")).hasValue("");
    assertThat(glass.locator("#newest .space-entry")).hasCount(1);

    page.navigate(pier.url() + "/agents/ada");
    page.getByLabel("Message to ada").focus();
    assertThat(page.getByLabel("Message to ada")).hasAttribute("enterkeyhint", "send");
    chromium.requireContent();
  }

  /// The request arrives, but its response is lost.
  private void loseTheAnswerTo(String text) {
    page.route(
        "**/spaces/deck/messages",
        route -> {
          route.fetch();
          route.abort();
        });
    page.locator("#say").fill(text);
    page.keyboard().press("Enter");
    assertThat(page.locator("#toast")).containsText("Your input is kept");
    page.unroute("**/spaces/deck/messages");
    page.evaluate("document.getElementById('toast').textContent = ''");
  }
}
