package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.Principal;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.Spaces;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents of model providers that answer in spaces.
@OnOneDatabase
final class SpaceAnswerTest {
  private static final String DM = "dm-ada-operator";
  private static final String ALL = "toolsets: [team, spaces, channels]";

  private final ModelTeam team;

  SpaceAnswerTest(TestDatabase kind) {
    this.team = new ModelTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"C19", "S4-10"})
  void a_models_final_text_is_its_answer_in_a_dm_and_the_prompt_says_so() {
    team.agent("ada", "openai", "", ALL);
    team.llm.follow(_ -> ScriptedAnswer.text("At noon."));

    say(DM, "when do we sail?");
    team.runAll();

    assertThat(said(DM)).containsExactly("operator: when do we sail?", "ada: At noon.");
    ModelPrompt asked = team.llm.requests().getFirst();
    assertThat(asked.system())
        .contains(
            "Your active space is `dm-ada-operator`: `send_message` without an address posts there.")
        .doesNotContain("You have no active space");
    assertThat(asked.lastUserText())
        .contains(
            "This turn is in space `dm-ada-operator`, your direct messages with operator. Your final text"
                + " is posted there, unless you post there with `send_message` or react there or"
                + " call `do_nothing`. An empty final text posts nothing.\n</turn-")
        .startsWith("space message from operator in space dm-ada-operator")
        .contains("\n\n[turn 1, ");
  }

  @Test
  @Requirement({"C19", "S3-24"})
  void in_a_channel_a_model_posts_with_a_tool_and_its_final_text_is_kept() {
    team.agent("ada", "anthropic", "", ALL);
    team.agent("ben", "gemini", "", "toolsets: [spaces]");
    team.engine
        .spaces()
        .create(
            new Principal.OperatorPrincipal(),
            Spaces.SpaceDefinition.of("general", Space.SpaceKind.PUBLIC, List.of("ada", "ben")));
    team.llm.follow(asked -> {
      if (asked.system().contains("You are ben")) {
        return ScriptedAnswer.text("I keep this to myself.");
      }
      return asked.newResults().isEmpty() && asked.lastUserText().contains("from operator")
          ? ScriptedAnswer.call("send_message", "{\"text\": \"Here!\"}")
          : ScriptedAnswer.text("I have answered.");
    });

    say("general", "who is in?");
    team.runAll();

    assertThat(said("general")).containsExactly("operator: who is in?", "ada: Here!");
    assertThat(team.told("finished_without_posting", 1))
        .extracting(event -> event.payload().path("text").asText())
        .contains("I keep this to myself.");
    assertThat(prompts("You are ben"))
        .allSatisfy(text ->
            assertThat(text)
                .contains(
                    "This turn is in space `general`. To answer there, call `send_message` without an"
                        + " address: your final text is not posted. You need not answer.\n</turn-")
                .doesNotContain("do_nothing"));
  }

  private List<String> prompts(String who) {
    return team.llm.requests().stream()
        .filter(asked -> asked.system().contains(who))
        .map(ModelPrompt::lastUserText)
        .toList();
  }

  private void say(String space, String text) {
    team.engine
        .spaces()
        .messages()
        .post(new Principal.OperatorPrincipal(), new SpaceMessages.PostRequest(space, text), null);
  }

  private List<String> said(String space) {
    var range = new SpaceHistory.HistoryRange(50, null, null);
    return team
        .engine
        .spaces()
        .history()
        .read(new Principal.OperatorPrincipal(), space, range)
        .messages()
        .stream()
        .map(message -> message.authorHandle() + ": " + message.text())
        .toList();
  }
}
