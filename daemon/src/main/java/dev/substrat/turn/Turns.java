package dev.substrat.turn;

import dev.substrat.event.Bell;
import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import java.time.Duration;
import java.time.InstantSource;
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
  private final Set<AgentId> underWay = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread dispatcher;
  private final Thread renewer;

  /// Rings once. Not an interrupt: that would break a database connection in the middle of its
  /// work.
  private final Bell stop = new Bell();

  private volatile boolean closing;

  public Turns(Database database, EventLog events, Slots slots, TurnParts parts) {
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.leases = new Leases(AgentId.random().value(), database.dialect());
    this.oneTurn = new OneTurn(database, leases, parts);
    this.clock = parts.clock();
    if (database.dialect() == Dialect.SQLITE) {
      database.transact(tx -> {
        Leases.dropAll(tx);
        return true;
      });
    }
    this.dispatcher = Thread.ofVirtual().name("turn-dispatcher").start(this::dispatch);
    this.renewer = Thread.ofVirtual().name("lease-renewer").start(this::renew);
  }

  private void dispatch() {
    while (!closing) {
      long seen = events.bell().rings();
      try {
        database.read(tx -> leases.ready(tx, clock.instant())).forEach(this::start);
        events.bell().awaitMoreThan(seen, LOOK_EVERY);
      } catch (Fault e) {
        LOG.warn("cannot look for work", "code", e.code(), "reason", e.message());
        pause();
      } catch (RuntimeException e) {
        // Whatever it is, agents must still be woken.
        LOG.error("looking for work broke", e);
        pause();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void start(AgentId agent) {
    if (closing || !underWay.add(agent)) {
      return;
    }
    threads.execute(() -> {
      try {
        slots.take();
        try {
          oneTurn.run(agent);
        } finally {
          slots.giveBack();
        }
      } catch (InterruptedException e) {
        // Stopping: the events stay in the inbox.
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        LOG.error("a turn could not be settled", e, "agent", agent);
      } finally {
        underWay.remove(agent);
        events.bell().ring();
      }
    });
  }

  private void renew() {
    while (!closing) {
      try {
        stop.awaitMoreThan(0, Leases.TERM.dividedBy(3));
        database.transact(tx -> {
          leases.renewAll(tx);
          return true;
        });
      } catch (Fault e) {
        LOG.warn("could not renew leases", "code", e.code(), "reason", e.message());
      } catch (RuntimeException e) {
        LOG.error("renewing leases broke", e);
      } catch (InterruptedException e) {
        return;
      }
    }
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
