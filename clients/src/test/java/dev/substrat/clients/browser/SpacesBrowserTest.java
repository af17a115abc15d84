package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import dev.substrat.clients.browser.Chromium.PageVariant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Two people and an agent in a space, each person with a page of their own.
@Timeout(300)
final class SpacesBrowserTest {
  private static final String GATEKEEPER =
      """
      {"name":"gatekeeper","toolsets":["team","spaces"],
       "provider":{"name":"scripted","playbook":[
         {"when":{"kind":"space_message"},"do":[
           {"call":"enter_space","with":{"spaceId":"gate"}},
           {"call":"confirm","with":{"question":"Open the gate?"}}]},
         {"when":{"kind":"tool_result"},"do":[
           {"call":"send_message","with":{"text":"The gate is open."}}]}]},
       "tools":[{"name":"confirm","description":"Asks a person.","executionType":"space",
         "display":{"customUI":"confirmAction","title":"Are you sure?"}}]}
      """;

  /// A message appears within a second.
  private static final ContainsTextOptions SOON = new ContainsTextOptions().setTimeout(1_000);

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page operator;
  private Page ana;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    pier.post("/api/agents", GATEKEEPER);
    String token = pier.post("/api/tokens", "{\"person\":\"ana\"}").path("token").asText();
    pier.post("/api/spaces", "{\"name\":\"Gate\",\"members\":[\"gatekeeper\",\"ana\"]}");
    pier.post("/api/spaces", "{\"name\":\"Deck\",\"members\":[\"ana\",\"operator\"]}");
    operator = chromium.window(PageVariant.LIGHT);
    pier.admit(operator);
    ana = chromium.window(PageVariant.DARK);
    ana.navigate(pier.url() + "/spaces");
    ana.getByLabel("Token").fill(token);
    ana.keyboard().press("Enter");
    assertThat(ana.locator("h1")).hasText("Spaces");
  }

  private void enter(Page page, String space) {
    page.navigate(pier.url() + "/spaces/" + space);
    assertThat(page.locator("#connection")).hasText("Live");
  }

  private static void say(Page page, String text) {
    page.locator("#say").fill(text);
    page.keyboard().press("Enter");
  }

  @Test
  void two_people_see_each_others_messages_without_a_reload() {
    enter(operator, "deck");
    enter(ana, "deck");
    ana.locator("#say").fill("half a sent");

    say(operator, "Who is on watch?");

    assertThat(ana.locator("#newest")).containsText("Who is on watch?", SOON);
    assertThat(ana.locator("#say")).hasValue("half a sent");
    assertThat(operator.locator("#say")).hasValue("");
    say(ana, "I am.");
    assertThat(operator.locator("#newest")).containsText("I am.", SOON);
    assertThat(operator.locator("#newest .space-entry")).hasCount(2);
    Locator time = operator.locator("#newest .byline time").first();
    time.hover();
    // The daemon's text, until the pointer is over it.
    assertThat(time).not().hasAttribute("title", Pattern.compile("20..-.*"));
    chromium.requireContent();
  }

  @Test
  void a_question_is_answered_in_its_space_and_the_agent_continues() {
    enter(ana, "gate");
    enter(operator, "gate");
    say(ana, "Please open the gate.");
    assertThat(ana.locator("#newest")).containsText("Are you sure?");

    ana.locator("button[name=do][value=yes]").click();

    assertThat(ana.locator("#newest")).containsText("The gate is open.");
    assertThat(operator.locator("#newest")).containsText("The gate is open.");
    assertThat(operator.locator(".tool-card .badge")).hasText("confirmed");
    chromium.requireContent();
  }

  @Test
  void approvals_are_answered_with_the_keyboard() {
    operator.navigate(pier.url() + "/approvals");
    assertThat(operator.locator("#connection")).hasText("Live");
    assertThat(operator.locator("#open")).containsText("No open approvals");
    enter(ana, "gate");
    say(ana, "Please open the gate.");
    assertThat(operator.locator("#open")).containsText("Are you sure?");

    operator.keyboard().press("j");
    operator.keyboard().press("y");

    assertThat(operator.locator("#open")).containsText("No open approvals");
    assertThat(ana.locator("#newest")).containsText("The gate is open.");
    chromium.requireContent();
  }

  @Test
  void scrolling_up_loads_earlier_messages_without_a_jump() throws Exception {
    for (int i = 1; i <= 180; i++) {
      pier.post("/api/spaces/deck/messages", "{\"text\":\"Report " + i + ".\"}");
    }
    enter(ana, "deck");
    assertThat(ana.getByText("Report 180.")).isInViewport();
    for (int earlier : new int[] {100, 150, 180}) {
      ana.locator("#scroll").evaluate("list => (list.scrollTop = -list.scrollHeight)");
      assertThat(ana.locator("#scroll [data-seq='" + (181 - earlier) + "']")).hasCount(1);
    }
    assertThat(ana.locator("[data-seq]")).hasCount(180);
    var middle = ana.getByText("Report 90.");
    middle.scrollIntoViewIfNeeded();
    double before = middle.boundingBox().y;

    say(operatorIn("deck"), "Something new.");

    assertThat(ana.locator("#to-end")).isVisible();
    assertThat(Math.abs(middle.boundingBox().y - before)).isLessThan(4);
    assertThat(ana.locator("[data-seq]")).hasCount(181);
    ana.locator("#to-end").click();
    assertThat(ana.getByText("Something new.")).isInViewport();
    chromium.requireContent();
  }

  private Page operatorIn(String space) {
    enter(operator, space);
    return operator;
  }
}
