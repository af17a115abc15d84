package dev.substrat.provider.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.wire.ConversationEntry;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How much history is sent to a model, and what is omitted first.
final class HistoryBuilderTest {
  private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");
  private static final String LONG = "x".repeat(6_000);

  private final List<List<HistoryTurn>> summedUp = new ArrayList<>();

  private static TranscriptLine line(int step, String type, @Nullable String tool, String content) {
    return new TranscriptLine(
        "id",
        step,
        type,
        tool,
        tool == null ? null : "c" + step,
        null,
        content,
        AT,
        null,
        false,
        null);
  }

  /// A turn with one call, whose result has about two thousand tokens.
  private static AgentHistory.PastTurn turn(long number) {
    return new AgentHistory.PastTurn(
        number,
        AT,
        List.of(
            line(0, Transcript.USER, null, "question " + number),
            line(1, Transcript.ASSISTANT, null, "let me look"),
            line(1, Transcript.CALL, "look", ""),
            line(1, Transcript.RETURN, "look", Json.text(LONG)),
            line(2, Transcript.ASSISTANT, null, "answer " + number)));
  }

  private HistoryBuilder of(long turns) {
    var past =
        new AgentHistory(
            null, LongStream.rangeClosed(1, turns).mapToObj(HistoryBuilderTest::turn).toList(), AT);
    return new HistoryBuilder(
        past,
        (_, chapters) -> {
          summedUp.add(chapters);
          return new AgentHistory.HistorySummary(chapters.getLast().number(), "all that was");
        });
  }

  private static List<String> results(List<ConversationEntry> entries) {
    return entries.stream()
        .filter(ConversationEntry.ToolResults.class::isInstance)
        .map(entry -> ((ConversationEntry.ToolResults) entry).results().getFirst().text())
        .toList();
  }

  @Test
  void a_turn_is_included_completely() throws InterruptedException {
    List<ConversationEntry> entries = of(1).within(100_000);

    assertThat(entries)
        .containsExactly(
            new ConversationEntry.UserText("question 1\n\n[turn 1, 2026-01-01T12:00:00Z]"),
            new ConversationEntry.AssistantText(
                "let me look",
                List.of(new ConversationEntry.RequestedCall("c1", "look", "{}")),
                null),
            new ConversationEntry.ToolResults(
                List.of(new ConversationEntry.CallResult("c1", "look", Json.text(LONG), false))),
            new ConversationEntry.AssistantText("answer 1", List.of(), null));
  }

  @Test
  void long_results_of_old_turns_are_cut_first() throws InterruptedException {
    List<ConversationEntry> entries = of(15).within(25_000);

    assertThat(summedUp).isEmpty();
    assertThat(results(entries)).hasSize(15);
    assertThat(results(entries).subList(0, 5)).allMatch(text -> text.length() < 1_100);
    assertThat(results(entries).subList(5, 15)).allMatch(text -> text.length() > 6_000);
  }

  @Test
  void turns_before_the_last_ten_are_summarized() throws InterruptedException {
    List<ConversationEntry> entries = of(60).within(25_000);

    assertThat(summedUp).singleElement().satisfies(chapters -> assertThat(chapters).hasSize(50));
    assertThat(entries.getFirst())
        .isEqualTo(
            new ConversationEntry.UserText(
                "[your own summary of all earlier turns]\nall that was"));
    assertThat(results(entries)).hasSize(10).allMatch(text -> text.length() > 6_000);
    assertThat(TokenEstimate.of(entries)).isLessThan(25_000);
  }

  @Test
  void results_of_the_last_ten_turns_are_cut_and_then_omitted() throws InterruptedException {
    List<ConversationEntry> cut = of(10).within(8_000);
    assertThat(results(cut)).hasSize(10).allMatch(text -> text.length() < 1_100);

    List<ConversationEntry> left = of(10).within(1_000);
    assertThat(summedUp).isEmpty();
    assertThat(left.getFirst())
        .isInstanceOfSatisfying(
            ConversationEntry.UserText.class,
            told -> assertThat(told.text()).contains("turns are omitted here"));
    assertThat(left.getLast())
        .isEqualTo(new ConversationEntry.AssistantText("answer 10", List.of(), null));
    assertThat(TokenEstimate.of(left)).isLessThan(1_100);
  }
}
