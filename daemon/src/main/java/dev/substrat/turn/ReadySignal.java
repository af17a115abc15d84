package dev.substrat.turn;

import dev.substrat.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Tracks whether an agent may have become ready since the last query. The signal fires after every
/// commit, and most commits only record a tool call. Commits of other daemons count only if those
/// signal them.
///
/// Belongs to the polling thread; every thread may call [#signal] and [#signalIn].
final class ReadySignal {
  /// Tables that decide which agents are ready, besides time; see [Leases].
  private static final Set<String> TABLES =
      Set.of("agent", "inbox_event", "pending_reply", "budget");

  private final Database database;
  private final InstantSource clock;
  private final Duration longest;
  private volatile boolean hasArisen = true;
  private long changes;
  private Instant at = Instant.EPOCH;

  /// When it signals by itself, on the clock of [System#nanoTime].
  private final AtomicLong due = new AtomicLong();

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

  /// Signals after `pause`, if not before: another daemon may have finished by then what it does.
  void signalIn(Duration pause) {
    long then = System.nanoTime() + pause.toNanos();
    due.accumulateAndGet(then, (one, other) -> one - other <= 0 ? one : other);
  }

  /// How long to wait for another signal.
  Duration untilDue() {
    return Duration.ofNanos(Math.max(0, due.get() - System.nanoTime()));
  }

  /// True if there is a signal, which is consumed; query the database after this call, not before.
  boolean take() {
    long newest = database.ownChanges(TABLES);
    Instant now = clock.instant();
    long nanosNow = System.nanoTime();
    boolean isThere =
        hasArisen
            || newest != changes
            || nanosNow - due.get() >= 0
            || Duration.between(at, now).abs().compareTo(longest) >= 0;
    if (isThere) {
      hasArisen = false;
      changes = newest;
      at = now;
      due.set(nanosNow + longest.toNanos());
    }
    return isThere;
  }
}
