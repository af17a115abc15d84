package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Message;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.turn.replay.ProviderOverride;
import dev.substrat.turn.replay.RunForks;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents of model providers in a team.
@OnOneDatabase
final class ConversationTest {
  private final ModelTeam team;

  ConversationTest(TestDatabase kind) {
    this.team = new ModelTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// The boss asks its child once and repeats the answer.
  private static ScriptedAnswer boss(ModelPrompt asked) {
    String text = asked.lastUserText();
    if (!asked.newResults().isEmpty()) {
      return ScriptedAnswer.text("");
    }
    return text.startsWith("Reply from")
        ? ScriptedAnswer.text("Ben says: " + text.lines().skip(1).findFirst().orElse(""))
        : ScriptedAnswer.call("send_message", "{\"recipient\": \"ben\", \"text\": \"how deep?\"}");
  }

  @Test
  @Requirement({"S0-13", "S1-1", "S1-21"})
  void two_model_agents_exchange_messages_on_one_slot() {
    Agent ada = team.agent("ada", "anthropic");
    team.agent("ben", "openai", "", "parent: " + ada.id().value());
    team.llm.follow(asked ->
        asked.system().contains("You are ben")
            ? ScriptedAnswer.text("Nine fathoms.")
            : boss(asked));
    try (var _ = team.engine.start(new Slots(Slots.SlotCaps.of(1)), "one-slot")) {
      Message question = team.ask("ada", "how deep is it?");
      team.await(() -> team.engine.messages().findReply(question.id()).isPresent());

      assertThat(team.engine.messages().findReply(question.id()).orElseThrow().text())
          .isEqualTo("Ben says: Nine fathoms.");
    }
  }

  @Test
  void a_replayed_turn_gets_the_same_prompt_and_tools() {
    Agent ada = team.agent("ada", "gemini");
    team.answer("ada", "first");
    team.answer("ada", "second [tool list_team {}]");
    ModelPrompt then = team.llm.requests().getLast();
    team.llm.forgetRequests();

    try (var replays = team.engine.replays(new Slots(Slots.SlotCaps.of(1)))) {
      var report =
          replays.replay(
              new Principal.OperatorPrincipal(),
              team.lastRun(ada).id(),
              new ProviderOverride(null, null));

      assertThat(report.equal()).isTrue();
      assertThat(report.calls()).isEqualTo(1);
    }
    ModelPrompt now = team.llm.requests().getLast();
    assertThat(now.tools()).isEqualTo(then.tools());
    assertThat(now.messages().getFirst()).isEqualTo(then.messages().getFirst());
    assertThat(now.userTurns()).isEqualTo(then.userTurns());
  }

  @Test
  void a_fork_has_the_history_of_the_original() {
    Agent ada = team.agent("ada", "openai");
    team.answer("ada", "the first question");
    team.answer("ada", "the second question");
    team.llm.forgetRequests();

    var request = new RunForks.ForkRequest(1, null, null, "ada, bolder");
    Agent fork =
        team.engine
            .forks()
            .fork(new Principal.OperatorPrincipal(), team.lastRun(ada).id(), request);
    team.runAll();
    team.answer(fork.handle(), "a third question");

    ModelPrompt first = team.llm.requests().getFirst();
    assertThat(first.messages().getFirst().text())
        .contains("the first question", "\n\n[before your first turn, ");
    assertThat(first.lastUserText()).contains("the second question", "\n\n[turn 1, ").endsWith("]");
    ModelPrompt second = team.llm.requests().getLast();
    assertThat(second.userTurns()).isEqualTo(3);
    assertThat(second.lastUserText()).contains("a third question");
  }

  @Test
  void a_model_can_call_a_tool_in_the_step_after_it_was_found() {
    team.agent("ada", "openai", "", "toolLoading: deferred");
    team.answer("ada", "first [tool find_tools {\"query\":\"list_team\"}]");

    assertThat(names(team.llm.requests().getFirst())).containsExactly("find_tools");
    assertThat(names(team.llm.requests().getLast())).containsExactly("find_tools", "list_team");
  }

  private static List<String> names(ModelPrompt asked) {
    return asked.tools().stream().map(ModelPrompt.OfferedTool::name).toList();
  }

  @Test
  @Requirement("S3-17")
  void a_custom_tool_can_call_a_model() {
    team.agent(
        "ada",
        "openai",
        "",
        """
        tools:
          - name: think
            description: Thinks.
            executionType: internal
            execution:
              agentConfig:
                name: thinker
                systemPrompt: You think in rhymes.
                provider: { name: ollama, model: fake-2, baseUrl: '%s' }
        """
            .formatted(team.llm.openAiUrl()));
    team.llm.follow(asked -> {
      if (asked.model().equals("fake-2")) {
        return ScriptedAnswer.text("sea and tea; asked: " + asked.lastUserText());
      }
      return asked.newResults().isEmpty()
          ? ScriptedAnswer.call("think", "{\"topic\": \"tides\"}")
          : ScriptedAnswer.text(asked.newResults().getFirst().text());
    });

    assertThat(team.answer("ada", "rhyme!")).contains("sea and tea; asked: tides");
    List<ModelPrompt> thinker =
        team.llm.requests().stream().filter(asked -> asked.model().equals("fake-2")).toList();
    assertThat(thinker)
        .singleElement()
        .satisfies(asked -> {
          assertThat(asked.system()).isEqualTo("You think in rhymes.");
          assertThat(asked.tools()).isEmpty();
        });
  }
}
