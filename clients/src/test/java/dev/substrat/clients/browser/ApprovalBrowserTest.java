package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.testkit.Requirement;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Answering approvals in the browser without accidental decisions.
@Timeout(300)
final class ApprovalBrowserTest {
  private static final String ADA =
      """
      {"name":"ada","toolsets":["team","spaces"],
       "provider":{"name":"scripted","playbook":[
         {"when":{"kind":"space_message"},"do":[
           {"call":"enter_space","with":{"spaceId":"gate"}},
           {"call":"confirm","with":{"question":"Open the gate?"}},
           {"call":"approve","with":{"action":"Pay the toll"}},
           {"call":"write","with":{"prompt":"What shall I say?"}}]},
         {"when":{"kind":"tool_result"},"do":[]}]},
       "tools":[
         {"name":"confirm","description":"Asks.","executionType":"space",
          "display":{"customUI":"confirmAction"}},
         {"name":"approve","description":"Asks.","executionType":"space",
          "display":{"customUI":"approval"}},
         {"name":"write","description":"Asks.","executionType":"space",
          "display":{"customUI":"text"}}]}
      """;

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();
  private Chromium chromium;
  private RestartableDaemon pier;
  private Page page;

  @BeforeEach
  void open() throws Exception {
    chromium = lookout.chromium();
    pier = lookout.pier();
    pier.post("/api/agents", ADA);
    pier.post("/api/spaces", "{\"name\":\"Gate\",\"members\":[\"ada\",\"operator\"]}");
    page = chromium.window(PageVariant.LIGHT);
    pier.admit(page);
    pier.post("/api/spaces/gate/messages", "{\"text\":\"Please open the gate.\"}");
    page.navigate(pier.url() + "/approvals");
    assertThat(page.locator("#connection")).hasText("Live");
    assertThat(page.locator("#open .ask")).hasCount(3);
  }

  private Locator ask(String tool) {
    return page.locator("#open .ask", new Page.LocatorOptions().setHasText("calls " + tool));
  }

  @Test
  @Requirement({"S3-45", "N4"})
  void enter_in_the_reason_field_declines() {
    ask("confirm").focus();
    page.keyboard().press("d");
    page.keyboard().type("too dangerous");
    page.keyboard().press("Enter");

    assertThat(page.locator("#open .ask")).hasCount(2);
    assertThat(page.locator("#decided")).containsText("declined");
    assertThat(page.locator("#decided")).containsText("too dangerous");
    assertThat(page.locator("#decided")).not().containsText("confirmed");
    chromium.requireContent();
  }

  @Test
  @Requirement("N4")
  void enter_in_a_comment_does_not_submit_a_decision() {
    ask("approve").locator("[name='v.comment']").fill("no, wait");
    page.keyboard().press("Enter");
    ask("approve").locator("button[value=no]").click();

    assertThat(page.locator("#open .ask")).hasCount(2);
    assertThat(page.locator("#decided")).containsText("rejected");
    assertThat(page.locator("#decided")).containsText("no, wait");
    chromium.requireContent();
  }

  @Test
  void typed_text_stays_when_another_question_disappears() {
    Locator words = ask("write").locator("[name='v.text']");
    words.focus();
    page.keyboard().type("Open it for all thin");

    Page other = page.context().newPage();
    other.navigate(pier.url() + "/approvals");
    other.locator("#open .ask button[value=yes]").first().click();
    assertThat(page.locator("#open .ask")).hasCount(2);
    // Without the focus, these two would open the spaces.
    page.keyboard().type("gs");

    assertThat(words).isFocused();
    assertThat(words).hasValue("Open it for all things");
    assertThat(page).hasURL(Pattern.compile(".*/approvals"));
    assertThat(words.evaluate("box => box.selectionStart")).isEqualTo(22);
    chromium.requireContent();
  }
}
