package dev.substrat.turn;

import dev.substrat.event.Bell;
import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// Wakes agents that have something to do: one virtual thread each, bounded by slots.
///
/// Readiness is a query, not a memory: the bell only says when to ask. A ring that is lost in a
/// crash is made up for by the next look.
public final class Turns implements AutoCloseable {
  private static final Log LOG = Log.of(Turns.class);

  /// How long a look may be late when nothing rings: retries become due without a sound.
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final Database database;
  private final EventLog events;
  private final Leases leases;
  private final Slots slots;
  private final OneTurn oneTurn;
  private final InstantSource clock;
  private final RunningTurns running;
  private final Set<AgentId> underWay = ConcurrentHashMap.newKeySet();

  /// Those whose turn is over but could not be settled because the database was away or its disk
  /// full. Their leases are given back as soon as it is there again; a bug's lease runs out.
  private final Set<AgentId> unsettled = ConcurrentHashMap.newKeySet();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread dispatcher;
  private final Thread renewer;

  /// Rings once. Not an interrupt: that would break a database connection in the middle of its
  /// work.
  private final Bell stop = new Bell();

  private volatile boolean closing;

  /// `owner` names this daemon, now and after a restart, and no other that is alive: what is leased
  /// to it was leased before it died.
  public Turns(Database database, EventLog events, Slots slots, TurnParts parts, String owner) {
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.leases = new Leases(owner, database.dialect());
    this.oneTurn = new OneTurn(database, leases, parts);
    this.clock = parts.clock();
    this.running = parts.running();
    oneTurn.recover();
    this.dispatcher = Thread.ofVirtual().name("turn-dispatcher").start(this::dispatch);
    this.renewer = Thread.ofVirtual().name("lease-renewer").start(this::renew);
  }

  private void dispatch() {
    while (!closing) {
      long seen = events.bell().rings();
      try {
        giveBackUnsettled();
        database.read(tx -> leases.ready(tx, clock.instant())).forEach(this::start);
        events.bell().awaitMoreThan(seen, LOOK_EVERY);
      } catch (RuntimeException e) {
        // Whatever it is, agents must still be woken.
        report("cannot look for work", e);
        pause();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void giveBackUnsettled() {
    List<AgentId> over = List.copyOf(unsettled);
    if (!over.isEmpty()) {
      database.transact(tx -> {
        over.forEach(agent -> leases.giveBack(tx, agent));
        return true;
      });
      unsettled.removeAll(over);
    }
  }

  private void start(Leases.Ready ready) {
    AgentId agent = ready.agent();
    if (closing || !underWay.add(agent)) {
      return;
    }
    Slots.Place place = slots.lineUp(ready.seat());
    threads.execute(() -> {
      boolean settled = false;
      try {
        place.await();
        try {
          // Whoever waited for a slot while the daemon began to stop starts nothing any more.
          if (!closing) {
            oneTurn.run(agent);
          }
        } finally {
          place.giveBack();
        }
        settled = true;
      } catch (InterruptedException e) {
        // Stopping: the events stay in the inbox.
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        if (isOutside(e)) {
          unsettled.add(agent);
        }
        report("a turn could not be settled", e, "agent", agent);
      } finally {
        underWay.remove(agent);
        if (settled) {
          // Otherwise it would fail again at once, and again; the next look comes soon enough.
          events.bell().ring();
        }
      }
    });
  }

  private void renew() {
    while (!closing) {
      try {
        stop.awaitMoreThan(0, Leases.TERM.dividedBy(3));
        List<RunningTurns.Running> lost =
            database.transact(tx ->
                running.all().stream()
                    .filter(turn -> !leases.renew(tx, turn.agent(), turn.turn()))
                    .toList());
        lost.forEach(turn -> running.interrupt(turn, "its lease was lost"));
      } catch (RuntimeException e) {
        report("could not renew leases", e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// What the outside world did is one line; a bug shows its stack.
  private static void report(String what, RuntimeException e, Object... pairs) {
    if (isOutside(e)) {
      var all = new ArrayList<Object>(List.of(pairs));
      all.addAll(List.of("reason", String.valueOf(e.getMessage())));
      LOG.warn(what, all.toArray());
    } else {
      LOG.error(what, e, pairs);
    }
  }

  private static boolean isOutside(RuntimeException e) {
    return e instanceof Fault fault && fault.code().kind() == ErrorCode.Kind.OUTSIDE;
  }

  private void pause() {
    try {
      stop.awaitMoreThan(0, LOOK_EVERY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Starts no more turns, gives those under way a moment, then interrupts them; what they had
  /// claimed goes back to the inbox.
  @Override
  public void close() {
    closing = true;
    // Whoever still stands in line must get to see that it is over.
    slots.resume();
    stop.ring();
    events.bell().ring();
    try {
      dispatcher.join();
      threads.shutdown();
      if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
      threads.close();
      renewer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
