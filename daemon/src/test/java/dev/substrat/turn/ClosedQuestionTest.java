package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.AgentMessages.MessageRequest;
import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCaller;
import dev.substrat.toolset.team.AgentSteering;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Prompts of turns about a question that is no longer open say so, and name the recipient of the
/// final text.
@OnEveryDatabase
final class ClosedQuestionTest {
  private static final String ADDITIONAL =
      "Your final text is sent to the sender as an additional message; leave it empty if you have nothing to add.\n";

  private final PromptedProvider agentProvider = new PromptedProvider();
  private final TestTeam team;

  ClosedQuestionTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 2, List.of(new ExternalProvider(), agentProvider));
    team.agent("{name: boss, provider: {name: external}}");
    team.agent("{name: mira, parent: boss, provider: {name: prompted}}");
    agentProvider.reacts(ClosedQuestionTest::remindAndAnswer);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement("C20")
  void the_prompt_of_a_reminder_says_that_the_question_was_answered() {
    var question = team.ask("mira", "what is there?");
    assertThat(team.answer(question)).isEqualTo("nothing yet");

    remind();

    assertThat(lastPrompt())
        .startsWith("reminder from yourself (reminder_id ")
        .contains(
            "\nThis turn is about: message %s from operator.\nYou already answered this question. "
                    .formatted(question.id())
                + ADDITIONAL,
            "\nYou got this message in an earlier turn. This is its text again:\n<data-",
            "\nwhat is there?\n")
        .doesNotContain("You are answering");
    team.await(() -> aboutTo(question).equals(List.of("nothing yet", "a ship")));
  }

  @Test
  @Requirement("C20")
  void the_prompt_says_that_the_question_expired() {
    gate(true);
    var question = team.ask("mira", "what is there?");
    team.clock.pass(Duration.ofMinutes(31));
    team.messages.expire();
    gate(false);
    team.await(() -> agentProvider.told().size() == 1);

    assertThat(lastPrompt())
        .contains(
            "\nThis turn is about: message %s from operator, shown above.\nThis question expired before you answered. "
                    .formatted(question.id())
                + ADDITIONAL)
        .containsOnlyOnce("\nwhat is there?\n")
        .doesNotContain("You are answering");
    team.await(() -> aboutTo(question).contains("nothing yet"));
  }

  @Test
  @Requirement("C20")
  void the_prompt_says_that_the_question_was_closed() {
    agentProvider.reacts((turn, prompt) -> {
      String text = remindAndAnswer(turn, prompt);
      return text.equals("a ship") ? text : "";
    });
    var question = team.ask("mira", "what is there?");
    team.await(() -> team.status(question) == Message.MessageStatus.DEAD);

    remind();

    assertThat(lastPrompt())
        .contains("\nThis question was closed without an answer. " + ADDITIONAL)
        .doesNotContain("You are answering");
    team.await(() -> aboutTo(question).contains("a ship"));
  }

  @Test
  @Requirement("C20")
  void the_prompt_says_that_the_sender_was_terminated() {
    team.agent("{name: ada, parent: boss, provider: {name: external}}");
    var ada = ToolCaller.external(team.agents.require("ada"), RunId.random());
    var question =
        team.mail.send(ada, new MessageRequest("mira", "what is there?", true, null), null);
    team.await(() -> team.messages.findReply(question.id()).isPresent());
    team.agents.terminate("ada");

    remind();

    assertThat(lastPrompt())
        .contains(
            "from agent \"ada\".\nThe sender of this question was terminated. Your final text is recorded but not sent.\n")
        .doesNotContain("You are answering");
  }

  @Test
  @Requirement({"C20", "A12"})
  void the_prompt_says_that_a_dead_attempt_answered_the_question() {
    agentProvider.reacts((turn, _) -> {
      call(turn, "send_message", "{\"recipient\":\"operator\",\"text\":\"two\"}");
      throw new IllegalStateException("oh");
    });
    var question = team.ask("mira", "how many?");
    team.await(() -> team.count("turn_ended") == 1);
    agentProvider.reacts((_, _) -> "for the record");
    team.clock.pass(Duration.ofSeconds(5));
    team.await(() -> agentProvider.told().size() == 2);

    assertThat(lastPrompt())
        .contains(
            "from operator, shown above.\nYou answered this question in an earlier attempt at this turn. Your final text is recorded but not sent.\n")
        .doesNotContain("You are answering");
    team.await(() -> team.count("turn_ended") == 2);
    assertThat(aboutTo(question)).containsExactly("two");
  }

  private static String remindAndAnswer(ProviderTurn turn, Prompt prompt) {
    if (prompt.turn().startsWith("reminder from")) {
      return "a ship";
    }
    call(turn, "remind_me", "{\"text\":\"look\",\"in_seconds\":60}");
    return "nothing yet";
  }

  private static void call(ProviderTurn turn, String tool, String arguments) {
    turn.call(tool, (ObjectNode) Json.own(arguments));
  }

  /// Lets the reminder become due and waits for the turn that it starts.
  private void remind() {
    team.await(() -> team.count("turn_ended") == 1);
    team.clock.pass(Duration.ofSeconds(61));
    assertThat(team.engine.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum()).isPositive();
    team.await(() -> agentProvider.told().size() == 2);
  }

  private String lastPrompt() {
    return agentProvider.told().getLast().turn();
  }

  /// Messages to the operator about a question, oldest first.
  private List<String> aboutTo(Message question) {
    return team.messages.newestToOperator(100).stream()
        .filter(message -> question.id().equals(message.inReplyTo()))
        .map(Message::text)
        .toList();
  }

  private void gate(boolean gated) {
    new AgentSteering(team.database, team.events, team.messages).gate("mira", gated);
    team.events.signal().notifyWaiters();
  }
}
