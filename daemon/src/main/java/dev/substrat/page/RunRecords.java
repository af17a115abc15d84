package dev.substrat.page;

import dev.substrat.console.Section;
import dev.substrat.console.runs.Passage;
import dev.substrat.console.runs.ReplayResult;
import dev.substrat.console.runs.RunPage;
import dev.substrat.console.runs.RunRow;
import dev.substrat.engine.Engine;
import dev.substrat.http.Exchange;
import dev.substrat.id.RunId;
import dev.substrat.inbox.RunInput;
import dev.substrat.replay.Divergence;
import dev.substrat.replay.Replays;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Mind;
import dev.substrat.transcript.Steps.Step;
import dev.substrat.transcript.Transcript;
import dev.substrat.transcript.Transcript.Line;
import dev.substrat.turn.Run;
import dev.substrat.turn.Runs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads all that is on record of a run, as its page shows it.
final class RunRecords {
  /// A mind elsewhere may call without end, all in one run; its page shows it part by part.
  private static final int LINES = 400;

  private final Engine engine;
  private final Frames frames;

  RunRecords(Engine engine, Frames frames) {
    this.engine = engine;
    this.frames = frames;
  }

  /// `replay` is what came of thinking it once more, if that was just done.
  RunPage page(Exchange exchange, @Nullable ReplayResult replay) {
    Run run = engine.runs().require(exchange.name("id"));
    var frame = frames.around(exchange, Section.RUNS, run.agent() + ", turn " + run.turn());
    var id = new RunId(run.id());
    List<Step> steps = engine.steps().of(id);
    List<Line> lines =
        engine.transcript().of(id, exchange.query("after").orElse(""), LINES + 1);
    List<Line> shown = lines.subList(0, Math.min(LINES, lines.size()));
    @Nullable String next = lines.size() > LINES ? shown.getLast().id() : null;
    return engine
        .ground()
        .database()
        .read(tx -> {
          RunRow row = RunRoster.require(tx, run.id());
          var story = new RunStory(row, steps, shown, end(run), next);
          return new RunPage(
              frame,
              frames.now(),
              row,
              around(tx, run, row, story),
              RunInput.of(tx, id).stream().map(RunRecords::given).toList(),
              shown.stream().flatMap(RunRecords::told).toList(),
              story.waterfall(),
              run.response() == null ? "" : run.response(),
              replay);
        });
  }

  private Instant end(Run run) {
    return run.endedAt() == null ? frames.now() : run.endedAt();
  }

  private RunPage.Circumstances around(Tx tx, Run run, RunRow row, RunStory story) {
    Optional<AgentConfig> config = Runs.config(tx, new RunId(run.id()));
    boolean mayRepeat = run.endedAt() != null && config.isPresent() && run.turn() > 0;
    return new RunPage.Circumstances(
        config.map(RunRecords::mind).orElse(""),
        run.depth(),
        RunRoster.before(tx, row).orElse(null),
        RunRoster.after(tx, row).orElse(null),
        run.retryOf() == null ? null : "/runs/" + run.retryOf(),
        engine.ground().telemetry().traceOf(run.id()).orElse(null),
        mayRepeat ? choices(row, story) : List.of());
  }

  private static String mind(AgentConfig config) {
    Mind mind = config.provider();
    if (mind == null) {
      return "";
    }
    return mind.model() == null ? mind.name() : mind.name() + " / " + mind.model();
  }

  private static List<RunPage.Choice> choices(RunRow row, RunStory story) {
    return IntStream.rangeClosed(1, Math.max(1, Math.toIntExact(row.used().steps())))
        .mapToObj(step -> {
          String called = story.calledIn(step);
          return new RunPage.Choice(
              step, "Step " + step + (called.isEmpty() ? "" : ": " + called));
        })
        .toList();
  }

  private static RunPage.Given given(RunInput.Given one) {
    String text = one.payload().path("text").asText("");
    return new RunPage.Given(
        one.position(),
        one.kind().replace('_', ' '),
        one.payload().path("from").asText(""),
        Passage.of("", text.isEmpty() ? one.payload().toPrettyString() : text),
        one.step(),
        one.shownAt());
  }

  private static Stream<Passage> told(Line line) {
    return switch (line.type()) {
      case Transcript.SYSTEM -> Stream.of(Passage.of("Who it is", line.content()));
      case Transcript.USER -> Stream.of(Passage.of("What the turn is about", line.content()));
      default -> Stream.empty();
    };
  }

  static ReplayResult result(Replays.Report report) {
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

  private static ReplayResult.Divergence divergence(Divergence one) {
    return new ReplayResult.Divergence(
        one.step(),
        one.recorded().toPrettyString(),
        one.now().toPrettyString(),
        one.differences().stream()
            .map(place ->
                new ReplayResult.Place(
                    place.pointer(),
                    String.valueOf(place.recorded()),
                    String.valueOf(place.now())))
            .toList());
  }
}
