package dev.substrat.turn.engine;

import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.store.Database;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.turn.run.TurnSpending;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Charges the steps of a sub-agent: to the budgets of the calling agent and its ancestors, and to
/// the run that made the call, so that they count for the subject of that run.
///
/// The steps have negative numbers, which the steps of a turn never have. The numbers are random: a
/// call that is executed again, here or on another daemon, must not reuse its earlier ones.
record SubAgentBudget(
    Database database, InstantSource clock, TurnSpending spending, ToolCall call) {
  /// Reserves what a step may use, or rejects it; returns the number of the step.
  int open(BudgetReservation most) {
    int step = ThreadLocalRandom.current().nextInt(Integer.MIN_VALUE, 0);
    spending.openStep(call, step, most);
    return step;
  }

  /// Cancels the step: it has used nothing.
  void takeBack(int step) {
    spending.withdrawStep(call, step);
  }

  /// Records what the step has used. The turn of the caller may be over.
  void close(int step, @Nullable String model, ModelUsage usage) {
    Instant now = clock.instant();
    database.run(tx -> {
      RunSteps.used(
          tx, call.caller().run(), step, model, usage, new RunSteps.StepTimespan(now, now));
      spending.closeStep(tx, call.caller(), step, usage);
    });
  }
}
