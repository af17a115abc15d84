package dev.substrat.tool;

import dev.substrat.log.Log;
import dev.substrat.store.Database;

/// Puts looks of minds elsewhere on record without making them wait for the disk.
///
/// Nothing rests on such a record but what people see of it: no turn is retried, replayed or paid
/// for by it. It is there for whoever reads after the answer, and before whatever the agent does
/// next; only a daemon that is killed within the moment has lost it.
final class Afterwards {
  private static final Log LOG = Log.of(Afterwards.class);

  private final Database database;
  private final CallRecord calls;

  /// What could not be kept is a reason to wait for the next one, who can be told.
  private volatile boolean hasFailed;

  Afterwards(Database database, CallRecord calls) {
    this.database = database;
    this.calls = calls;
  }

  /// False if this one had better be waited for.
  boolean suits(CallRecord.Made made) {
    boolean suits = !hasFailed && made.call().caller().isExternal() && database.hasOneWriter();
    hasFailed = false;
    return suits;
  }

  /// The answer, which need not wait.
  Toolbox.Answer record(CallRecord.Made made, Toolbox.Answer answer) {
    database.transactSoon(
        tx -> {
          Fence.require(tx, made.call().caller());
          calls.calledAndReturned(tx, made, answer);
          return true;
        },
        failure -> failed(made, failure));
    return answer;
  }

  private void failed(CallRecord.Made made, Throwable failure) {
    if (failure instanceof StaleTurn) {
      // It has ended in between, and leaves no trace.
      return;
    }
    hasFailed = true;
    LOG.warn(
        "a look could not be put on record",
        "tool",
        made.tool(),
        "agent",
        made.call().caller().agent().handle(),
        "reason",
        String.valueOf(failure.getMessage()));
  }
}
