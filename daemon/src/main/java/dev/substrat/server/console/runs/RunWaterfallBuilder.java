package dev.substrat.server.console.runs;

import dev.substrat.console.NumberFormatter;
import dev.substrat.console.runs.RunRow;
import dev.substrat.console.runs.RunWaterfall;
import dev.substrat.console.runs.RunWaterfall.WaterfallBar;
import dev.substrat.console.runs.TitledText;
import dev.substrat.server.console.CallOutcome;
import dev.substrat.tool.transcript.RunSteps.RunStep;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds the timeline of a run: a bar per step, and per call from start to result.
final class RunWaterfallBuilder {
  private static final Set<String> CALLS = Set.of(Transcript.CALL, Transcript.OWN_CALL);
  private static final Set<String> RETURNS = Set.of(Transcript.RETURN, Transcript.OWN_RETURN);

  private final RunRow run;
  private final Map<Integer, RunStep> steps = new TreeMap<>();
  private final Map<Integer, List<TranscriptLine>> calls = new TreeMap<>();
  private final Map<String, TranscriptLine> returns = new HashMap<>();
  private final RunWaterfall scale;
  private final Instant edge;

  /// `ahead` are the lines after `lines`: only results of calls in `lines` are used.
  RunWaterfallBuilder(
      RunRow run,
      List<RunStep> steps,
      List<TranscriptLine> lines,
      List<TranscriptLine> ahead,
      Instant end) {
    this.run = run;
    steps.forEach(step -> this.steps.put(step.step(), step));
    for (TranscriptLine line : lines) {
      if (CALLS.contains(line.type())) {
        calls.computeIfAbsent(line.step(), _ -> new ArrayList<>()).add(line);
      }
    }
    answers(lines);
    answers(ahead);
    this.edge = ahead.isEmpty() ? end : ahead.getFirst().at();
    this.scale = new RunWaterfall(run.at(), end, List.of(), null, false);
  }

  private void answers(List<TranscriptLine> lines) {
    for (TranscriptLine line : lines) {
      if (RETURNS.contains(line.type()) && line.toolCallId() != null) {
        returns.put(line.toolCallId(), line);
      }
    }
  }

  /// `next` is the cursor of the next part; `isLater` if this is not the first part.
  RunWaterfall waterfall(@Nullable String next, boolean isLater) {
    var numbers = new TreeMap<Integer, Instant>();
    steps.forEach((number, step) -> numbers.put(number, step.startedAt()));
    calls.forEach((number, all) -> numbers.putIfAbsent(number, all.getFirst().at()));
    var bars = new ArrayList<WaterfallBar>();
    numbers.forEach((number, begin) -> {
      Map.Entry<Integer, Instant> later = numbers.higherEntry(number);
      // A step lasts until the next one starts: its calls run after the model has answered.
      Instant end = later == null ? edge : later.getValue();
      if (number > 0) {
        bars.add(step(number, begin, end));
      }
      calls.getOrDefault(number, List.of()).forEach(call -> bars.add(call(call)));
    });
    return new RunWaterfall(scale.from(), scale.to(), bars, next, isLater);
  }

  /// Names of the tools called in a step.
  String calledIn(int step) {
    return String.join(
        ", ",
        calls.getOrDefault(step, List.of()).stream()
            .map(line -> String.valueOf(line.toolName()))
            .toList());
  }

  private WaterfallBar step(int number, Instant begin, Instant end) {
    @Nullable RunStep step = steps.get(number);
    return new WaterfallBar(
        run.id() + "-" + number,
        number,
        false,
        "Step " + number,
        step == null ? "" : note(step),
        "step",
        scale.place(begin),
        scale.share(begin, end),
        NumberFormatter.time(Duration.between(begin, end)),
        List.of());
  }

  private static String note(RunStep step) {
    var parts = new ArrayList<String>();
    if (step.model() != null) {
      parts.add(step.model());
    }
    if (step.inputTokens() + step.outputTokens() > 0) {
      parts.add(NumberFormatter.of(step.inputTokens() + step.outputTokens(), "token"));
    }
    if (step.costMicros() > 0) {
      parts.add(NumberFormatter.dollars(step.costMicros() / 1e6));
    }
    return String.join(" · ", parts);
  }

  private WaterfallBar call(TranscriptLine call) {
    @Nullable TranscriptLine answer =
        call.toolCallId() == null ? null : returns.get(call.toolCallId());
    Instant end = answer == null ? scale.to() : answer.at();
    var result = CallOutcome.of(answer);
    return new WaterfallBar(
        call.id(),
        call.step(),
        true,
        String.valueOf(call.toolName()),
        note(call, result),
        result.tone(),
        scale.place(call.at()),
        scale.share(call.at(), end),
        answer == null ? "" : NumberFormatter.time(Duration.between(call.at(), end)),
        passages(call, answer));
  }

  private static String note(TranscriptLine call, CallOutcome result) {
    if (call.type().equals(Transcript.OWN_CALL)) {
      return "provider tool";
    }
    return call.replayed() ? "recorded result" : result.note();
  }

  private static List<TitledText> passages(TranscriptLine call, @Nullable TranscriptLine answer) {
    var all = new ArrayList<TitledText>();
    if (call.toolInput() != null) {
      all.add(TitledText.of("Arguments", call.toolInput().toPrettyString()));
    }
    if (answer != null) {
      all.add(TitledText.of("Result", CallOutcome.pretty(answer.content())));
      if (answer.beside() != null) {
        all.add(TitledText.of("Sent with the result", answer.beside().toPrettyString()));
      }
    }
    return all;
  }
}
