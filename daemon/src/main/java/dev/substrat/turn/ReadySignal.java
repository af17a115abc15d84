package dev.substrat.turn;

import dev.substrat.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.Set;

/// Tracks whether an agent may have become ready since the last query. The signal fires after every
/// commit, and most commits only record a tool call.
///
/// Belongs to the polling thread; every thread may call [#arises].
final class ReadySignal {
  /// What decides who is ready, besides time; see [Leases].
  private static final Set<String> TABLES =
      Set.of("agent", "inbox_event", "pending_reply", "budget");

  private final Database database;
  private final InstantSource clock;
  private final Duration longest;
  private volatile boolean hasArisen = true;
  private OptionalLong changes = OptionalLong.empty();
  private Instant at = Instant.EPOCH;
  private long nanos;

  /// There is one at the latest when `longest` has passed, on the daemon's clock or on the
  /// database's: something may be due, or a lease over.
  ReadySignal(Database database, InstantSource clock, Duration longest) {
    this.database = database;
    this.clock = clock;
    this.longest = longest;
  }

  /// For whatever is not in the database.
  void signal() {
    hasArisen = true;
  }

  /// True if there is one; then it is taken, so look after asking and not before.
  boolean take() {
    OptionalLong newest = database.changeCounter(TABLES);
    Instant now = clock.instant();
    long nanosNow = System.nanoTime();
    boolean isThere =
        hasArisen
            || newest.isEmpty()
            || !newest.equals(changes)
            || nanosNow - nanos >= longest.toNanos()
            || Duration.between(at, now).abs().compareTo(longest) >= 0;
    if (isThere) {
      hasArisen = false;
      changes = newest;
      at = now;
      nanos = nanosNow;
    }
    return isThere;
  }
}
