package dev.substrat.tool.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.TurnFence;
import java.util.function.Function;
import java.util.function.Supplier;

/// Puts calls of minds elsewhere on record without making them wait for the disk: looks behind
/// their answer, changes while they are on their way.
///
/// Nothing rests on such a record but what people see of it: no turn is retried, replayed or paid
/// for by it. It is there for whoever reads from then on, and before whatever the agent does next;
/// only a daemon that is killed within the moment has lost it. What came of a change is waited for.
///
/// Safe for many threads.
final class DeferredRecorder {
  private static final Log LOG = Log.of(DeferredRecorder.class);

  /// Many wait in memory at a time; what is larger had better be waited for.
  private static final int LONGEST = 64 * 1024;

  private final Database database;
  private final CallRecord calls;

  /// Since something could not be kept all are waited for, until one of them could be.
  private volatile boolean hasFailed;

  DeferredRecorder(Database database, CallRecord calls) {
    this.database = database;
    this.calls = calls;
  }

  /// The answer, which is on record or soon will be; `waited` puts it there at once.
  ToolPipeline.Answer record(
      CallRecord.Made made,
      Supplier<ToolPipeline.Answer> answer,
      Supplier<ToolPipeline.Answer> waited) {
    if (!isPossible(made)) {
      ToolPipeline.Answer recorded = waited.get();
      hasFailed = false;
      return recorded;
    }
    ToolPipeline.Answer quick = answer.get();
    if (left(left(LONGEST, made.arguments()), quick.reply().json()) == 0) {
      return waited.get();
    }
    database.transactSoon(
        tx -> {
          TurnFence.require(tx, made.call().caller());
          calls.calledAndReturned(tx, made, quick);
          return true;
        },
        failure -> failed(made, failure));
    return quick;
  }

  private boolean isPossible(CallRecord.Made made) {
    return !hasFailed && made.call().caller().isExternal() && database.hasOneWriter();
  }

  /// Puts the row of a call on its way, so that the call can leave; if it has to be there first,
  /// `waited` does that.
  <T> T begin(CallRecord.Made made, Function<WriteAheadRow, T> leaving, Supplier<T> waited) {
    if (!isPossible(made)) {
      T outcome = waited.get();
      hasFailed = false;
      return outcome;
    }
    var row = new WriteAheadRow(tx -> calls.called(tx, made));
    database.transactSoon(
        row::write,
        failure -> {
          row.lost();
          failed(made, failure);
        });
    try {
      return leaving.apply(row);
    } catch (StaleTurn e) {
      keep(row, made);
      throw e;
    } catch (RuntimeException e) {
      // What came of it could not be kept, and what comes next could not, either.
      hasFailed = true;
      throw e;
    }
  }

  /// Its agent has ended meanwhile, but the call was made.
  private void keep(WriteAheadRow row, CallRecord.Made made) {
    if (!row.isThere()) {
      database.transact(tx -> {
        calls.called(tx, made);
        return true;
      });
    }
  }

  /// How many characters of `room` are left beside this value; 0 if none are.
  private static int left(int room, JsonNode value) {
    int left = room - 1 - (value.isTextual() ? value.textValue().length() : 0);
    for (JsonNode child : value) {
      if (left <= 0) {
        return 0;
      }
      left = left(left, child);
    }
    return Math.max(0, left);
  }

  private void failed(CallRecord.Made made, Throwable failure) {
    if (failure instanceof StaleTurn) {
      // It has ended in between, and leaves no trace.
      return;
    }
    hasFailed = true;
    LOG.warn(
        "a call could not be put on record",
        "tool",
        made.tool(),
        "agent",
        made.call().caller().agent().handle(),
        "reason",
        String.valueOf(failure.getMessage()));
  }
}
