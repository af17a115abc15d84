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
  /// Tables that decide which agents are ready, besides time; see [Leases].
  private static final Set<String> TABLES =
      Set.of("agent", "inbox_event", "pending_reply", "budget");

  private final Database database;
  private final InstantSource clock;
  private final Duration longest;
  private volatile boolean hasArisen = true;
  private OptionalLong changes = OptionalLong.empty();
  private Instant at = Instant.EPOCH;
  private long nanos;

  /// Signals at the latest after `longest`: something may be due, or a lease expired.
  ReadySignal(Database database, InstantSource clock, Duration longest) {
    this.database = database;
    this.clock = clock;
    this.longest = longest;
  }

  /// For changes outside the database.
  void signal() {
    hasArisen = true;
  }

  /// True if there is a signal, which is consumed; query the database after this call, not before.
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
