package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.wire.ConversationEntry;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One earlier turn in the history of a model. Its boundaries come from the record, never from the
/// text.
record HistoryTurn(long number, List<ConversationEntry> entries) {
  private static final String NO_RESULT = "{\"note\":\"no result was recorded\"}";

  HistoryTurn {
    entries = List.copyOf(entries);
  }

  static HistoryTurn of(AgentHistory.PastTurn turn) {
    Map<String, TranscriptLine> results =
        turn.lines().stream()
            .filter(line -> line.type().equals(Transcript.RETURN) && line.toolCallId() != null)
            .collect(Collectors.toMap(line -> id(line), line -> line, (first, _) -> first));
    var entries = new ArrayList<ConversationEntry>();
    if (turn.lines().stream().noneMatch(line -> line.type().equals(Transcript.USER))) {
      // A turn without a recorded prompt; a conversation still begins with a user text.
      entries.add(new ConversationEntry.UserText(userText(turn.number(), turn.at(), "")));
    }
    var step = new ArrayList<TranscriptLine>();
    for (TranscriptLine line : turn.lines()) {
      if (line.type().equals(Transcript.USER)) {
        entries.add(
            new ConversationEntry.UserText(userText(turn.number(), turn.at(), line.content())));
      } else if (!line.type().equals(Transcript.RETURN)) {
        if (!step.isEmpty() && step.getLast().step() != line.step()) {
          add(entries, step, results);
          step.clear();
        }
        step.add(line);
      }
    }
    add(entries, step, results);
    return new HistoryTurn(turn.number(), entries);
  }

  /// The prompt of a turn, followed by the number and time of the turn. A reply is on the first
  /// line, as agents are promised. The text stays the same in later turns, so that an API can cache
  /// it.
  static String userText(long number, @Nullable Instant at, String prompt) {
    if (at == null) {
      return prompt;
    }
    Instant when = at.truncatedTo(ChronoUnit.SECONDS);
    // Numbers below 1 are turns of the agent that this one was forked from.
    return number > 0
        ? "%s\n\n[turn %d, %s]".formatted(prompt, number, when)
        : "%s\n\n[before your first turn, %s]".formatted(prompt, when);
  }

  /// Adds the texts and calls of one step.
  private static void add(
      List<ConversationEntry> entries,
      List<TranscriptLine> step,
      Map<String, TranscriptLine> results) {
    String text =
        step.stream()
            .filter(line -> line.type().equals(Transcript.ASSISTANT))
            .map(TranscriptLine::content)
            .collect(Collectors.joining("\n"));
    List<TranscriptLine> calls =
        step.stream()
            .filter(line -> line.type().equals(Transcript.CALL) && line.toolCallId() != null)
            .toList();
    var said =
        new ConversationEntry.AssistantText(
            text, calls.stream().map(HistoryTurn::call).toList(), null);
    if (!said.isEmpty()) {
      entries.add(said);
    }
    if (!calls.isEmpty()) {
      entries.add(
          new ConversationEntry.ToolResults(
              calls.stream().map(call -> result(call, results.get(id(call)))).toList()));
    }
  }

  private static ConversationEntry.RequestedCall call(TranscriptLine line) {
    JsonNode input = line.toolInput();
    return new ConversationEntry.RequestedCall(
        id(line), tool(line), input == null ? "{}" : Json.text(input));
  }

  private static ConversationEntry.CallResult result(
      TranscriptLine call, @Nullable TranscriptLine result) {
    return new ConversationEntry.CallResult(
        id(call),
        tool(call),
        result == null ? NO_RESULT : ToolResultText.of(result.content(), result.beside()),
        false);
  }

  private static String id(TranscriptLine line) {
    return String.valueOf(line.toolCallId());
  }

  private static String tool(TranscriptLine line) {
    return String.valueOf(line.toolName());
  }

  /// The same with shorter results.
  HistoryTurn shortened(int longest) {
    return new HistoryTurn(number, HistoryTruncation.results(entries, longest));
  }

  long tokens() {
    return TokenEstimate.of(entries);
  }
}
