package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The calls of a run with their answers, each used once, in order. Calls of one step were made
/// together and may come in any order.
///
/// Safe for many threads: a provider may call several tools concurrently.
final class RecordedCallAnswers {
  private final List<AnsweredCall> left;

  RecordedCallAnswers(List<AnsweredCall> calls) {
    this.left = new ArrayList<>(calls);
  }

  /// A recorded call; without an answer if its turn died before.
  record AnsweredCall(
      int step,
      ProviderAction.ToolCallAction call,
      ToolPipeline.@Nullable ResultWithUnread answer) {}

  static List<AnsweredCall> of(Tx tx, RunId run) {
    List<TranscriptLine> lines = Transcript.of(tx, run);
    Map<String, ToolPipeline.ResultWithUnread> answers = new HashMap<>();
    lines.stream()
        .filter(line -> line.type().equals(Transcript.RETURN))
        .forEach(line -> answers.put(id(line), answer(line)));
    return lines.stream()
        .filter(line -> line.type().equals(Transcript.CALL))
        .map(line -> new AnsweredCall(line.step(), call(line), answers.get(id(line))))
        .toList();
  }

  private static String id(TranscriptLine line) {
    return String.valueOf(line.toolCallId());
  }

  private static ProviderAction.ToolCallAction call(TranscriptLine line) {
    return new ProviderAction.ToolCallAction(
        String.valueOf(line.toolName()), object(line.toolInput()));
  }

  private static ToolPipeline.ResultWithUnread answer(TranscriptLine line) {
    return ToolPipeline.ResultWithUnread.recorded(
        object(Json.own(line.content())), object(line.beside()));
  }

  private static ObjectNode object(@Nullable Object json) {
    return json instanceof ObjectNode object ? object : Json.object();
  }

  /// Consumes the equal recorded call, if it is the next one.
  synchronized Optional<AnsweredCall> take(ProviderAction.ToolCallAction call) {
    Optional<AnsweredCall> same =
        left.stream()
            .takeWhile(one -> one.step() == left.getFirst().step())
            .filter(one -> one.call().equals(call))
            .findFirst();
    same.ifPresent(left::remove);
    return same;
  }

  /// The next recorded call, if there is one.
  synchronized Optional<AnsweredCall> next() {
    return left.stream().findFirst();
  }
}
