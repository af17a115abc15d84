package dev.substrat.server.console.runs;

import dev.substrat.console.ConsoleSection;
import dev.substrat.console.TextPreview;
import dev.substrat.console.runs.ReplayResult;
import dev.substrat.console.runs.RunPage;
import dev.substrat.console.runs.RunRow;
import dev.substrat.console.runs.TitledText;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.platform.identity.RunId;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.PageFrames;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.transcript.RunSteps.RunStep;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.replay.Divergence;
import dev.substrat.turn.replay.RunReplays;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.run.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the page of a run from its record.
record RunPageReader(Engine engine, PageFrames frames) {
  /// Page size: a run of an external agent may have any number of calls.
  private static final int LINES = 400;

  /// Number of further lines searched for the results of the last calls.
  private static final int AHEAD = 100;

  /// Maximum length of a shown difference.
  private static final int DIFFERENCE = 4_000;

  /// `replay` is the result of a replay, if it was just requested.
  RunPage page(HttpExchange exchange, @Nullable ReplayResult replay) {
    Run named = engine.runs().require(exchange.caller(), exchange.name("id"));
    var frame = frames.around(exchange, ConsoleSection.RUNS, title(named));
    Run run = engine.runs().require(exchange.caller(), named.id());
    var id = new RunId(run.id());
    String after = exchange.query("after").orElse("");
    List<TranscriptLine> lines = engine.transcript().of(id, after, LINES + AHEAD);
    List<TranscriptLine> shown = lines.subList(0, end(lines));
    List<TranscriptLine> ahead = lines.subList(shown.size(), lines.size());
    @Nullable String next = ahead.isEmpty() ? null : shown.getLast().id();
    List<RunStep> steps = steps(id, after, shown, next);
    return engine.read(tx -> {
      RunRow row = RunList.require(tx, run.id());
      var story = new RunWaterfallBuilder(row, steps, shown, ahead, end(run));
      return new RunPage(
          frame,
          frames.now(),
          row,
          context(tx, run, row, story),
          RunInputEvents.of(tx, id).stream().map(RunPageReader::input).toList(),
          shown.stream().flatMap(RunPageReader::prompt).toList(),
          story.waterfall(next, !after.isEmpty()),
          TitledText.of("", run.response() == null ? "" : run.response()),
          replay);
    });
  }

  private String title(Run run) {
    String called =
        engine
            .agents()
            .find(run.agent())
            .map(agent -> DisplayNames.displayName(agent.name(), agent.handle()))
            .orElse(run.agent());
    return called + ", turn " + run.turn();
  }

  /// End of the shown part: before a step, if possible.
  private static int end(List<TranscriptLine> lines) {
    if (lines.size() <= LINES) {
      return lines.size();
    }
    return IntStream.iterate(LINES, at -> at > 0, at -> at - 1)
        .filter(at -> lines.get(at).step() != lines.get(at - 1).step())
        .findFirst()
        .orElse(LINES);
  }

  /// Steps of this part of the record.
  private List<RunStep> steps(
      RunId id, String after, List<TranscriptLine> shown, @Nullable String next) {
    int first = after.isEmpty() || shown.isEmpty() ? 0 : shown.getFirst().step();
    int last = next == null ? Integer.MAX_VALUE : shown.getLast().step();
    return engine.steps().of(id).stream()
        .filter(step -> first <= step.step() && step.step() <= last)
        .toList();
  }

  private Instant end(Run run) {
    return run.endedAt() == null ? frames.now() : run.endedAt();
  }

  private RunPage.RunContext context(Tx tx, Run run, RunRow row, RunWaterfallBuilder story) {
    Optional<AgentConfig> config = Runs.config(tx, new RunId(run.id()));
    boolean mayRepeat = run.endedAt() != null && config.isPresent() && run.turn() > 0;
    return new RunPage.RunContext(
        config.map(RunPageReader::providerText).orElse(""),
        run.depth(),
        RunList.before(tx, row).orElse(null),
        RunList.after(tx, row).orElse(null),
        run.retryOf() == null ? null : "/runs/" + run.retryOf(),
        engine.dependencies().telemetry().traceUrl(run.id()).orElse(null),
        subject(run),
        run.spaceId(),
        run.finishedWithoutPosting(),
        mayRepeat ? choices(row, story) : List.of());
  }

  private static @Nullable String subject(Run run) {
    return run.subject() == null
        ? null
        : switch (TurnSubject.parse(run.subject())) {
          case TurnSubject.QuestionSubject question -> "/mail/" + question.message();
          case TurnSubject.DirectMessageSubject dm -> "/spaces/" + dm.space();
          case TurnSubject.SpaceSubject in -> "/spaces/" + in.space();
        };
  }

  private static String providerText(AgentConfig config) {
    ProviderConfig provider = config.provider();
    if (provider == null) {
      return "";
    }
    return provider.model() == null ? provider.name() : provider.name() + " / " + provider.model();
  }

  private static List<RunPage.ForkChoice> choices(RunRow row, RunWaterfallBuilder story) {
    return IntStream.rangeClosed(1, Math.max(1, Math.toIntExact(row.used().steps())))
        .mapToObj(step -> {
          String called = story.calledIn(step);
          return new RunPage.ForkChoice(
              step, "Step " + step + (called.isEmpty() ? "" : ": " + called));
        })
        .toList();
  }

  private static RunPage.RunInputEvent input(RunInputEvents.RecordedEvent one) {
    String text = one.payload().path("text").asText("");
    return new RunPage.RunInputEvent(
        one.position(),
        one.kind().replace('_', ' '),
        RunList.from(one.payload()),
        TitledText.of("", text.isEmpty() ? one.payload().toPrettyString() : text),
        one.step(),
        one.shownAt());
  }

  private static Stream<TitledText> prompt(TranscriptLine line) {
    return switch (line.type()) {
      case Transcript.SYSTEM -> Stream.of(TitledText.of("System prompt", line.content()));
      case Transcript.USER -> Stream.of(TitledText.of("Turn prompt", line.content()));
      default -> Stream.empty();
    };
  }

  static ReplayResult result(RunReplays.ReplayReport report) {
    @Nullable String reason = report.stopReason();
    @Nullable Divergence divergence = report.divergence();
    return new ReplayResult(
        report.equal(),
        report.complete(),
        report.steps(),
        report.calls(),
        reason == null ? "" : reason,
        divergence == null ? null : divergence(divergence));
  }

  private static ReplayResult.ReplayDivergence divergence(Divergence one) {
    return new ReplayResult.ReplayDivergence(
        one.step(),
        excerpt(one.recorded().toPrettyString()),
        excerpt(one.now().toPrettyString()),
        one.differences().stream()
            .map(place ->
                new ReplayResult.ArgumentDifference(
                    place.pointer(),
                    excerpt(String.valueOf(place.recorded())),
                    excerpt(String.valueOf(place.now()))))
            .toList());
  }

  private static String excerpt(String text) {
    return TextPreview.of(text, DIFFERENCE).marked();
  }
}
