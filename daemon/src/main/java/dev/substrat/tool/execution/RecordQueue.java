package dev.substrat.tool.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolPipeline.ResultWithUnread;

/// Queue of records that the caller does not wait for, written by the database's one writer in the
/// order of arrival.
///
/// Only records of external agents: no turn is retried, replayed or charged by them. After a failed
/// write nothing is queued until a write has succeeded. Safe for many threads.
final class RecordQueue {
  private static final Log LOG = Log.of(RecordQueue.class);

  /// Queued records are in memory, so large ones are written immediately.
  private static final int MAX_CHARACTERS = 64 * 1024;

  private final Database database;
  private volatile boolean hasFailed;

  RecordQueue(Database database) {
    this.database = database;
  }

  boolean accepts(CallRecord.RecordableCall made) {
    return !hasFailed && made.call().caller().isExternal() && database.hasOneWriter();
  }

  void add(
      CallRecord.RecordableCall made, Database.TransactionBody<Boolean> write, Runnable onFailure) {
    database.transactDeferred(
        write,
        failure -> {
          onFailure.run();
          report(made, failure);
        });
  }

  /// Stops queueing until [#succeed].
  void fail() {
    hasFailed = true;
  }

  /// Called after a record was written durably.
  void succeed() {
    if (hasFailed) {
      hasFailed = false;
    }
  }

  static boolean isSmall(CallRecord.RecordableCall made, ResultWithUnread answer) {
    return left(left(MAX_CHARACTERS, made.arguments()), answer.reply().json()) > 0;
  }

  /// How many of `limit` characters are left after `value`; 0 if none.
  private static int left(int limit, JsonNode value) {
    int left = limit - 1 - (value.isTextual() ? value.textValue().length() : 0);
    for (JsonNode child : value) {
      if (left <= 0) {
        return 0;
      }
      left = left(left, child);
    }
    return Math.max(0, left);
  }

  private void report(CallRecord.RecordableCall made, Throwable failure) {
    if (failure instanceof StaleTurn) {
      // The agent was terminated before the write: its calls are no longer recorded.
      return;
    }
    fail();
    LOG.warn(
        "tool call could not be recorded",
        "tool",
        made.tool(),
        "agent",
        made.call().caller().agent().handle(),
        "reason",
        String.valueOf(failure.getMessage()));
  }
}
