package dev.substrat.turn;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.EventSignal;
import dev.substrat.team.AgentTree;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.LeaseRenewer;
import dev.substrat.turn.scheduling.Leases;
import dev.substrat.turn.scheduling.RunningTurns;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Starts turns of ready agents: one virtual thread each, limited by slots.
///
/// Readiness is a database query; the signal only says when to run it. A signal that is lost in a
/// crash is compensated by the next poll.
public final class TurnDispatcher implements AutoCloseable {
  private static final Log LOG = Log.of(TurnDispatcher.class);

  /// Polling interval without a signal: retries become due by time alone.
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private final Database database;
  private final EventLog events;
  private final Leases leases;
  private final LeaseRenewer keeper;
  private final Slots slots;
  private final TurnExecution oneTurn;
  private final InstantSource clock;
  private final RunningTurns running;
  private final ReadySignal occasion;
  private final Set<AgentId> underWay = ConcurrentHashMap.newKeySet();

  /// A turn has ended but could not be settled, because the database was unavailable or its disk
  /// full: its lease is released as soon as possible. After a bug the lease expires.
  private volatile boolean hasUnsettled = true;

  /// Reason for leases found at the start: an earlier daemon left them. Belongs to the dispatcher
  /// thread.
  private String whyUnsettled = Runs.ORPHANED;

  /// Held while ready agents are searched and queued.
  private final Object lock = new Object();

  /// How long running turns may take to end when the daemon stops.
  private final Duration stopGrace;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread dispatcher;
  private final Thread renewer;

  /// Rings once. Not an interrupt: that would break a database connection in the middle of its
  /// work.
  private final EventSignal stop = new EventSignal();

  /// Rings when no turn is left: until then leases are renewed, also while the daemon is stopping.
  private final EventSignal ended = new EventSignal();

  private volatile boolean closing;

  private volatile boolean hasEnded;

  /// `owner` identifies this daemon, also after a restart, and no other one: its existing leases
  /// are from before a crash.
  public TurnDispatcher(
      Database database,
      EventLog events,
      Slots slots,
      TurnParts parts,
      String owner,
      Duration lease,
      Duration stopGrace) {
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.stopGrace = stopGrace;
    this.leases = new Leases(owner, lease, database.dialect());
    this.keeper = new LeaseRenewer(database, leases, events, parts.clock());
    this.oneTurn = new TurnExecution(database, leases, parts);
    this.clock = parts.clock();
    this.running = parts.running();
    this.occasion = new ReadySignal(database, clock, POLL_INTERVAL);
    parts.delivery().wake(this::startSoon);
    this.dispatcher = Thread.ofVirtual().name("turn-dispatcher").start(this::dispatch);
    this.renewer = Thread.ofVirtual().name("lease-renewer").start(this::renew);
  }

  private void dispatch() {
    while (!closing) {
      long seen = events.signal().count();
      try {
        releaseUnsettled();
        startReady();
        events.signal().awaitMoreThan(seen, POLL_INTERVAL);
      } catch (RuntimeException e) {
        // Signals after every failure: agents must still be woken.
        occasion.signal();
        OutageClassifier.report(LOG, "cannot query ready agents, will retry", e);
        pause();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void startReady() {
    synchronized (lock) {
      if (occasion.take()) {
        database.read(tx -> leases.ready(tx, clock.instant())).forEach(this::start);
      }
    }
  }

  private void releaseUnsettled() {
    if (hasUnsettled) {
      hasUnsettled = false;
      try {
        keeper.releaseIdle(underWay, whyUnsettled);
        whyUnsettled = Runs.NOT_STORED;
      } catch (RuntimeException e) {
        hasUnsettled = true;
        throw e;
      }
    }
  }

  /// Starts the turn of an agent that a commit may have made ready, if a slot is free: the claim
  /// checks readiness as the query would. With one slot the query alone decides the order.
  private void startSoon(AgentTree.Alive agent, MessageId message) {
    var seat = new Slots.HeldSlot(agent.team(), agent.provider());
    if (slots.total() > 1 && !agent.provider().equals("external") && slots.isFree(seat)) {
      start(new Leases.Ready(agent.id(), seat, message.value()));
    }
  }

  private void start(Leases.Ready ready) {
    AgentId agent = ready.agent();
    if (closing || !underWay.add(agent)) {
      return;
    }
    Slots.QueuePosition place = slots.enqueue(ready.seat(), ready.oldest());
    try {
      threads.execute(() -> run(agent, place));
    } catch (RejectedExecutionException e) {
      // Stopping.
      underWay.remove(agent);
    }
  }

  private void run(AgentId agent, Slots.QueuePosition place) {
    try {
      place.await();
    } catch (InterruptedException e) {
      // Stopping: the events stay in the inbox.
      underWay.remove(agent);
      Thread.currentThread().interrupt();
      return;
    }
    boolean settled = false;
    boolean isOutage = false;
    try {
      // A turn that waited for a slot during shutdown does not start.
      if (!closing) {
        oneTurn.run(agent);
      }
      settled = true;
    } catch (RuntimeException e) {
      isOutage = OutageClassifier.isOutage(e);
      OutageClassifier.report(LOG, "cannot settle a turn", e, "agent", agent);
    } finally {
      leave(agent, settled);
      place.release();
    }
    if (isOutage) {
      hasUnsettled = true;
    }
    if (settled) {
      // Without a pause it would fail again immediately; the next poll retries it.
      occasion.signal();
      events.signal().notifyWaiters();
    }
  }

  /// With a single slot, all ready agents are queued before the slot is free again: the order of
  /// turns then depends only on the events.
  private void leave(AgentId agent, boolean settled) {
    if (slots.total() > 1 || closing || !settled) {
      underWay.remove(agent);
      return;
    }
    synchronized (lock) {
      underWay.remove(agent);
      try {
        occasion.signal();
        startReady();
      } catch (RuntimeException e) {
        OutageClassifier.report(LOG, "cannot query ready agents, will retry", e);
      }
    }
  }

  private void renew() {
    while (!hasEnded) {
      try {
        ended.awaitMoreThan(0, leases.term().dividedBy(3));
        keeper
            .renew(running.all())
            .forEach(turn -> running.interrupt(turn, "the turn lost its lease"));
        keeper.revokeOutlived();
      } catch (RuntimeException e) {
        OutageClassifier.report(LOG, "cannot renew leases", e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void pause() {
    try {
      stop.awaitMoreThan(0, POLL_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Starts no more turns, waits for running ones up to the grace time, then interrupts them; their
  /// events return to the inbox.
  @Override
  public void close() {
    closing = true;
    // Queued turns must wake up to see the shutdown.
    slots.resume();
    stop.notifyWaiters();
    events.signal().notifyWaiters();
    try {
      dispatcher.join();
      threads.shutdown();
      if (!threads.awaitTermination(stopGrace.toMillis(), TimeUnit.MILLISECONDS)) {
        threads.shutdownNow();
        if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
          // It ignores the interrupt and ends with the process; without its lease it cannot write.
          LOG.warn("turns did not end during shutdown", "agents", underWay);
        }
      }
      endRenewals();
      renewer.join();
    } catch (InterruptedException e) {
      endRenewals();
      Thread.currentThread().interrupt();
    }
  }

  private void endRenewals() {
    hasEnded = true;
    ended.notifyWaiters();
  }
}
