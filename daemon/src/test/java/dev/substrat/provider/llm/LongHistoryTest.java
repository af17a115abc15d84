package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.schedule.Goal;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.llm.ModelPrompt;
import dev.substrat.testkit.llm.ScriptedAnswer;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents with more history than fits into the context of their model.
@OnOneDatabase
final class LongHistoryTest {
  private static final int CONTEXT = 20_000;

  private final ModelTeam team;
  private final int turns;

  LongHistoryTest(TestDatabase kind) {
    this.team = new ModelTeam(kind.dialect());
    this.turns = kind.dialect() == Dialect.SQLITE ? 500 : 100;
    team.agent("ada", "openai", "contextTokens: " + CONTEXT, "");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private static boolean isSummary(ModelPrompt asked) {
    return asked.system().contains("Summarise the history of an agent");
  }

  private void live(int from, int to) {
    IntStream.rangeClosed(from, to)
        .forEach(i -> team.answer("ada", "question-" + i + " " + "and so on ".repeat(30)));
  }

  private static String all(ModelPrompt asked) {
    return String.join(
        "\n", asked.messages().stream().map(ModelPrompt.PromptMessage::text).toList());
  }

  @Test
  @Requirement("S1-21")
  void a_long_history_is_summarized_and_the_last_ten_turns_are_complete() {
    team.engine
        .goalsAndPlans()
        .goals()
        .set("ada", List.of(new Goal.GoalDraft(null, "reach the lighthouse", null, null)));
    team.llm.follow(asked ->
        isSummary(asked)
            ? ScriptedAnswer.text("You met many questions. " + lastLine(asked))
            : ScriptedAnswer.text(
                "answer-" + asked.lastUserText().replaceAll("(?s).*question-(\\d+).*", "$1")));

    live(1, turns);

    ModelPrompt last = team.llm.requests().getLast();
    assertThat(last.system()).contains("reach the lighthouse");
    assertThat(all(last))
        .contains("You met many questions.", "your own summary of all earlier turns");
    IntStream.range(turns - 10, turns)
        .forEach(i -> assertThat(all(last)).contains("question-" + i + " ", "answer-" + i));
    assertThat(all(last)).doesNotContain("question-1 ", "left out");
    assertThat(team.llm.requests())
        .allSatisfy(asked -> assertThat(asked.raw().toString().length()).isLessThan(CONTEXT * 4));
    long summaries = team.llm.requests().stream().filter(LongHistoryTest::isSummary).count();
    assertThat(summaries).isBetween(1L, turns / 10L);
  }

  private static String lastLine(ModelPrompt asked) {
    return "Summed up "
        + asked.lastUserText().lines().filter(line -> line.startsWith("# Turn")).count();
  }

  @Test
  void if_the_summary_fails_the_oldest_turns_are_omitted() {
    team.llm.follow(
        asked -> isSummary(asked) ? ScriptedAnswer.refused(400) : ScriptedAnswer.text("fine"));

    live(1, 60);

    ModelPrompt last = team.llm.requests().getLast();
    assertThat(all(last)).contains("are omitted here", "question-59 ", "question-50 ");
    assertThat(team.answer("ada", "still alive?")).isEqualTo("fine");
  }
}
