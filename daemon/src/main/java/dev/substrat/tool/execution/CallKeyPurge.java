package dev.substrat.tool.execution;

import dev.substrat.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Deletes stored results of calls after a day, unless the event that they were made for is still
/// unprocessed: then a failed turn is retried and repeats them. The fact that a call was executed
/// is kept for good.
public final class CallKeyPurge {
  private static final Duration KEPT = Duration.ofDays(1);

  /// A sweep scans all keys: an index would cost a page per call.
  private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(30);

  /// More would block other writers.
  private static final int AT_ONCE = 1_000;

  /// A key of a turn has its event in the middle; see [CallKeys].
  private static final String OLD =
      """
      select agent_id, call_key from call_done
      where at < ? and not exists (
        select 1 from inbox_event
        where inbox_event.agent_id = call_done.agent_id
          and call_done.call_key like '%/' || inbox_event.id || '/%'
      )
      limit ?
      """;

  private static final String FORGET = "delete from call_done where agent_id = ? and call_key = ?";

  private final Database database;
  private final InstantSource clock;
  private final AtomicReference<Instant> nextLook = new AtomicReference<>(Instant.EPOCH);

  public CallKeyPurge(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Number of deleted keys.
  public int sweep() {
    Instant now = clock.instant();
    if (now.isBefore(nextLook.get())) {
      return 0;
    }
    Instant longAgo = now.minus(KEPT);
    // Found outside the write transaction: it takes long, and old keys are never needed again.
    List<CallKey> old =
        database.read(tx ->
            tx.list(
                OLD,
                row -> new CallKey(row.text("agent_id"), row.text("call_key")),
                longAgo,
                AT_ONCE));
    if (!old.isEmpty()) {
      database.transact(tx -> {
        old.forEach(key -> tx.update(FORGET, key.agent(), key.call()));
        return true;
      });
    }
    if (old.size() < AT_ONCE) {
      nextLook.set(now.plus(BETWEEN_SWEEPS));
    }
    return old.size();
  }

  private record CallKey(String agent, String call) {}
}
