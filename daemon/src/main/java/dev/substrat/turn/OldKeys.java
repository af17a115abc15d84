package dev.substrat.turn;

import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// Forgets what calls came to that nobody repeats any more: after a day, unless the event that they
/// were made for is still there, for then a turn that failed is tried again and makes them again.
public final class OldKeys {
  private static final Duration KEPT = Duration.ofDays(1);

  /// A look goes through all that is kept: an index would cost every call a page.
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(30);

  /// More would keep other writers waiting.
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

  private final Database database;
  private final InstantSource clock;
  private final AtomicReference<Instant> nextLook = new AtomicReference<>(Instant.EPOCH);

  public OldKeys(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// How many were forgotten.
  public int sweep() {
    Instant now = clock.instant();
    if (now.isBefore(nextLook.get())) {
      return 0;
    }
    Instant longAgo = now.minus(KEPT);
    // Looking costs no commit, and mostly there is nothing.
    int count =
        database.read(tx -> isNeeded(tx, longAgo))
            ? database.transact(tx ->
                tx.update(
                    "delete from call_done where (agent_id, call_key) in (" + OLD + ")",
                    longAgo,
                    AT_ONCE))
            : 0;
    if (count < AT_ONCE) {
      nextLook.set(now.plus(BETWEEN_LOOKS));
    }
    return count;
  }

  private static boolean isNeeded(Tx tx, Instant longAgo) {
    return tx.find(OLD, _ -> true, longAgo, 1).isPresent();
  }
}
