package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import dev.substrat.testkit.llm.ScriptedLlm;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Agents of model providers, with a scripted model.
final class ModelsTest {

  @Test
  @Requirement("N11")
  void a_scripted_model_answers_and_the_clock_advances_during_a_rate_limit() {
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

  /// Calls a tool first, then answers.
  private static ScriptedAnswer captain(ModelPrompt asked) {
    return asked.newResults().isEmpty()
        ? ScriptedAnswer.call("list_children", "{}")
        : ScriptedAnswer.text("Not tonight.");
  }
}
