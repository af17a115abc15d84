package dev.substrat.engine;

import dev.substrat.budget.Reservation;
import dev.substrat.store.Database;
import dev.substrat.tool.Call;
import dev.substrat.transcript.Usage;
import dev.substrat.turn.Spending;
import java.util.concurrent.ThreadLocalRandom;

/// What a sub-agent's steps are paid from: the budgets of whoever called it, and of everyone above.
///
/// Its steps stand beside its caller's own, under numbers that no turn reaches. They are random: a
/// call that is executed again, here or on another daemon, must not meet its own.
record Purse(Database database, Spending spending, Call call) {
  /// Where the numbers of sub-agents' steps begin.
  private static final int FIRST = 1_000_000;

  /// Reserves what a step may use, or refuses it; gives back the step's number.
  int open(Reservation most) {
    int step = ThreadLocalRandom.current().nextInt(FIRST, Integer.MAX_VALUE);
    spending.openStep(call, step, most);
    return step;
  }

  /// The step has used nothing.
  void takeBack(int step) {
    spending.withdrawStep(call, step);
  }

  void close(int step, Usage usage) {
    database.transact(tx -> {
      spending.closeStep(tx, call.caller(), step, usage);
      return true;
    });
  }
}
