package dev.substrat.tool.transcript;

import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Steps of a run: one row for each request to its provider. Steps of sub-agents called by the run
/// have negative numbers; they count towards the run's usage.
public final class RunSteps {
  private final Database database;

  public RunSteps(Database database) {
    this.database = database;
  }

  /// A step; `calls` is the number of its tool calls.
  public record RunStep(
      int step,
      @Nullable String model,
      Instant startedAt,
      @Nullable Instant endedAt,
      long inputTokens,
      long outputTokens,
      long costMicros,
      long calls) {}

  /// Creates the step at its first record; later ones change nothing.
  static void open(Tx tx, RunId run, int step, Instant now) {
    if (step != 0) {
      tx.update(
          """
          insert into run_step (run_id, step, started_at) values (?, ?, ?)
          on conflict do nothing
          """,
          run.value(),
          step,
          now);
    }
  }

  /// Start and end of a step.
  public record StepTimespan(Instant began, Instant ended) {}

  /// Records the usage of a step.
  public static void used(
      Tx tx, RunId run, int step, @Nullable String model, ModelUsage usage, StepTimespan span) {
    open(tx, run, step, span.began());
    tx.update(
        """
        update run_step set model = ?, ended_at = ?, input_tokens = ?, output_tokens = ?,
          cost_micros = ?
        where run_id = ? and step = ?
        """,
        model,
        span.ended(),
        usage.inputTokens(),
        usage.outputTokens(),
        usage.costMicros(),
        run.value(),
        step);
  }

  /// The steps of the run itself, without those of sub-agents.
  public List<RunStep> of(RunId run) {
    return database.read(tx ->
        tx.list(
            """
            select step, model, started_at, ended_at, input_tokens, output_tokens, cost_micros,
              (select count(*) from run_message
               where run_message.run_id = run_step.run_id
                 and run_message.step = run_step.step
                 and type = 'tool_call_message') as calls
            from run_step where run_id = ? and step > 0
            order by step
            """,
            RunSteps::step,
            run.value()));
  }

  private static RunStep step(ResultRow row) {
    return new RunStep(
        row.integer("step"),
        row.textOrNull("model"),
        row.instant("started_at"),
        row.instantOrNull("ended_at"),
        row.number("input_tokens"),
        row.number("output_tokens"),
        row.number("cost_micros"),
        row.number("calls"));
  }
}
