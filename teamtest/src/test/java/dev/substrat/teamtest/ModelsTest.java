package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.testkit.llm.ScriptedLlm;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Teams whose agents think with models, without a model.
final class ModelsTest {

  @Test
  @Requirement("N11")
  void a_model_is_scripted_and_time_passes_while_it_is_left_alone() {
    try (var llm = ScriptedLlm.start(ModelsTest::captain);
        var team = TeamTest.start()) {
      team.agent(
          "name: mira\nprovider: { name: openai, model: any, baseUrl: '%s' }"
              .formatted(llm.openAiUrl()));
      llm.next(ScriptedAnswer.refused(429, "20"));
      Instant before = team.now();
      SentMessage question = team.ask("mira", "Shall we sail?");

      team.runUntilDone();

      assertThat(team.answer(question)).isEqualTo("Not tonight.");
      assertThat(team.calls("mira"))
          .extracting(RecordedCall::tool)
          .containsExactly("list_children");
      assertThat(llm.requests().getFirst().system()).contains("You are mira");
      assertThat(Duration.between(before, team.now())).isEqualTo(Duration.ofSeconds(20));
    }
  }

  /// Looks who is there, and then decides.
  private static ScriptedAnswer captain(ModelPrompt asked) {
    return asked.newResults().isEmpty()
        ? ScriptedAnswer.call("list_children", "{}")
        : ScriptedAnswer.text("Not tonight.");
  }
}
