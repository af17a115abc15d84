package dev.substrat.engine;

import dev.substrat.budget.Reservation;
import dev.substrat.store.Database;
import dev.substrat.tool.Caller;
import dev.substrat.transcript.Usage;
import dev.substrat.turn.Spending;
import java.util.concurrent.atomic.AtomicInteger;

/// What a sub-agent's steps are paid from: the budgets of whoever called it, and of everyone above.
///
/// Its steps stand beside its caller's own, under numbers that no turn reaches.
record Purse(Database database, Spending spending, Caller caller, AtomicInteger steps) {
  /// Where the numbers of sub-agents' steps begin.
  static final int FIRST = 1_000_000;

  /// Reserves what a step may use, or refuses it; gives back the step's number.
  int open(Reservation most) {
    int step = steps.incrementAndGet();
    spending.openStep(caller, step, most);
    return step;
  }

  /// The step has used nothing.
  void takeBack(int step) {
    spending.withdrawStep(caller, step);
  }

  void close(int step, Usage usage) {
    database.transact(tx -> {
      spending.closeStep(tx, caller, step, usage);
      return true;
    });
  }
}
