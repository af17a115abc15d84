package dev.substrat.clients.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import dev.substrat.clients.browser.Chromium.PageVariant;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.testkit.llm.ScriptedLlm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Answers of model agents to a person, in the browser.
@Timeout(300)
@Requirement("C19")
final class SpaceAnswersBrowserTest {
  private static final String AGENT =
      """
      {"name":"%s","toolsets":["team","spaces","channels"],
       "provider":{"name":"ollama","model":"fake-1","baseUrl":"%s/v1"}}
      """;

  /// A turn is a few requests and commits; machines are slow.
  private static final ContainsTextOptions SOON = new ContainsTextOptions().setTimeout(20_000);

  private final ScriptedLlm llm = ScriptedLlm.start(SpaceAnswersBrowserTest::answer);

  @RegisterExtension private final BrowserTestFixture lookout = new BrowserTestFixture();

  @BeforeEach
  void open() throws Exception {
    RestartableDaemon pier = lookout.pier();
    pier.post("/api/agents", AGENT.formatted("ada", llm.url()));
    pier.post("/api/agents", AGENT.formatted("ben", llm.url()));
    pier.post("/api/spaces", "{\"name\":\"General\",\"members\":[\"ada\",\"ben\",\"operator\"]}");
    pier.post("/api/spaces", "{\"name\":\"ada\",\"kind\":\"dm\",\"members\":[\"ada\"]}");
  }

  @AfterEach
  void close() throws Exception {
    llm.close();
  }

  /// In a DM both answer with their final text; in a channel ada posts and ben does not.
  private static ScriptedAnswer answer(ModelPrompt asked) {
    String text = asked.lastUserText();
    boolean isFromOperator = text.contains("from operator in space general");
    if (asked.system().contains("You are ada") && isFromOperator && asked.newResults().isEmpty()) {
      return ScriptedAnswer.call("send_message", "{\"text\": \"I am in, with **two** boats.\"}");
    }
    if (asked.system().contains("You are ben")) {
      return ScriptedAnswer.text("Somebody else may go. I would need `a day` to get ready.");
    }
    return ScriptedAnswer.text(
        text.contains("dm-ada-operator") ? "High water is at noon." : "I have posted my answer.");
  }

  @ParameterizedTest
  @EnumSource(PageVariant.class)
  void answers_of_models_appear_where_the_person_wrote(PageVariant look) throws Exception {
    Page operator = lookout.chromium().window(look);
    lookout.pier().admit(operator);
    enter(operator, "dm-ada-operator");

    say(operator, "When is high water?");

    Locator answer = operator.locator("#newest .space-entry").nth(1);
    assertThat(answer).containsText("High water is at noon.", SOON);
    assertThat(answer).containsText("ada");
    assertThat(operator.locator("#newest .unposted")).hasCount(0);

    enter(operator, "general");
    say(operator, "Who is in?");

    Locator talk = operator.locator("#newest");
    assertThat(talk).containsText("I am in, with two boats.", SOON);
    Locator line = operator.locator("#newest .unposted").first();
    assertThat(line).containsText("ben finished without posting", SOON);
    Locator text = line.getByText("Somebody else may go.");
    assertThat(text).isHidden();
    line.locator("summary").click();
    assertThat(text).isVisible();
    assertThat(operator.locator("#newest .space-entry")).hasCount(2);
    lookout.chromium().requireContent();

    line.getByText("Open the run").click();
    assertThat(operator.locator("#run-output")).containsText("Finished without posting");
    assertThat(operator.locator("#run-output")).containsText("Somebody else may go.");
    lookout.chromium().requireContent();
  }

  private void enter(Page page, String space) {
    page.navigate(lookout.pier().url() + "/spaces/" + space);
    assertThat(page.locator("#connection")).hasText("Live");
  }

  private static void say(Page page, String text) {
    page.locator("#say").fill(text);
    page.locator("#composer button[aria-label=Send]").click();
  }
}
