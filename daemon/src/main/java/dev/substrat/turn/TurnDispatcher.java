package dev.substrat.turn;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.EventSignal;
import dev.substrat.team.AgentTree;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.AgentAffinity;
import dev.substrat.turn.scheduling.LeaseRenewer;
import dev.substrat.turn.scheduling.Leases;
import dev.substrat.turn.scheduling.RunningTurns;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
///
/// Several daemons divide the agents ([AgentAffinity]). A daemon queries after its own commits. If
/// it finds new ready agents of others, it notifies these daemons, and if it has more agents than
/// slots, those with free slots; a commit of another daemon alone causes no query.
public final class TurnDispatcher implements AutoCloseable {
  private static final Log LOG = Log.of(TurnDispatcher.class);

  /// Daemons with ready agents, one per line.
  private static final String CHANNEL = "substrat_ready";

  /// In a notification: every daemon with a free slot.
  private static final String ANY = "*";

  /// Number of the last turn of an agent, if it was not queried.
  private static final long UNKNOWN_TURN = -1;

  /// Minimum interval between requests for help.
  private static final Duration HELP_INTERVAL = Duration.ofMillis(100);

  /// Queries take at most a quarter of the time: while turns are running, one query is enough for
  /// the commits of several.
  private static final int REST_PER_QUERY = 3;

  /// Polling interval without a signal: retries become due by time alone.
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private final Database database;
  private final EventLog events;
  private final Leases leases;
  private final LeaseRenewer leaseRenewer;
  private final Slots slots;
  private final TurnExecution oneTurn;
  private final InstantSource clock;
  private final RunningTurns running;
  private final ReadySignal occasion;
  private final AgentAffinity affinity;
  private final AutoCloseable notifications;
  private final Set<AgentId> underWay = ConcurrentHashMap.newKeySet();

  /// A turn has ended but could not be settled, because the database was unavailable or its disk
  /// full: its lease is released as soon as possible. After a bug the lease expires.
  private volatile boolean hasUnsettled = true;

  /// Reason for leases found at the start: an earlier daemon left them. Belongs to the dispatcher
  /// thread.
  private String whyUnsettled = Runs.ORPHANED;

  /// Held while ready agents are searched and queued.
  private final Object lock = new Object();

  /// Duration and end of the last query, in nanoseconds. Guarded by the lock.
  private long queryNanos;

  private long queriedAt = System.nanoTime();

  /// When help was requested last. Guarded by the lock.
  private long helpAt = System.nanoTime();

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
      TurnDependencies parts,
      String owner,
      Duration lease,
      Duration stopGrace) {
    this.database = database;
    this.events = events;
    this.slots = slots;
    this.stopGrace = stopGrace;
    this.leases = new Leases(owner, lease, database.dialect());
    this.leaseRenewer = new LeaseRenewer(database, leases, events, parts.clock());
    this.affinity = new AgentAffinity(owner);
    this.oneTurn = new TurnExecution(database, leases, parts, affinity::claimTook);
    this.clock = parts.clock();
    this.running = parts.running();
    this.occasion = new ReadySignal(database, clock, POLL_INTERVAL);
    parts.delivery().wake(this::startSoon);
    this.notifications = database.listen(CHANNEL, this::hear);
    this.dispatcher = Thread.ofVirtual().name("turn-dispatcher").start(this::dispatch);
    this.renewer = Thread.ofVirtual().name("lease-renewer").start(this::renew);
  }

  private void dispatch() {
    while (!closing) {
      long seen = events.commits().count();
      try {
        releaseUnsettled();
        startReady();
        events.commits().awaitMoreThan(seen, occasion.untilDue());
        stop.awaitMoreThan(0, rest());
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
        long start = System.nanoTime();
        List<Leases.ReadyAgent> ready = database.read(tx -> leases.ready(tx, clock.instant()));
        queriedAt = System.nanoTime();
        queryNanos = queriedAt - start;
        start(affinity.choose(ready, underWay::contains, queriedAt));
      }
    }
  }

  private void start(AgentAffinity.Choice choice) {
    choice.own().forEach(this::start);
    choice.spare().stream().filter(one -> slots.isFree(one.slot())).forEach(this::start);
    if (choice.isIncomplete() && slots.busy() < slots.total()) {
      occasion.signalIn(affinity.headStart());
    }
    var others = new ArrayList<>(choice.others());
    if (slots.use().waiting() > 0 && queriedAt - helpAt >= HELP_INTERVAL.toNanos()) {
      helpAt = queriedAt;
      others.add(ANY);
    }
    if (!others.isEmpty() && database.dialect() == Dialect.POSTGRES) {
      database.run(tx -> tx.notifyAll(CHANNEL, String.join("\n", others)));
    }
  }

  /// The pause that is left of [#REST_PER_QUERY]. The embedded database needs none: it knows which
  /// commits matter.
  private Duration rest() {
    synchronized (lock) {
      return database.dialect() == Dialect.SQLITE || running.all().isEmpty()
          ? Duration.ZERO
          : Duration.ofNanos(queriedAt + REST_PER_QUERY * queryNanos - System.nanoTime());
    }
  }

  /// Another daemon found ready agents, or notifications may have been lost.
  private void hear(String daemons) {
    List<String> addressed = daemons.lines().toList();
    if (addressed.isEmpty()
        || addressed.contains(leases.owner())
        || (addressed.contains(ANY) && slots.busy() < slots.total())) {
      wake();
    }
  }

  private void wake() {
    occasion.signal();
    events.commits().notifyWaiters();
  }

  private void releaseUnsettled() {
    if (hasUnsettled) {
      hasUnsettled = false;
      try {
        leaseRenewer.releaseIdle(underWay, whyUnsettled);
        whyUnsettled = Runs.NOT_STORED;
      } catch (RuntimeException e) {
        hasUnsettled = true;
        throw e;
      }
    }
  }

  /// Starts the turn of an agent that a commit may have made ready, if a slot is free: the claim
  /// checks readiness as the query would. With one slot the query alone decides the order, and
  /// where several daemons share the database, the query decides which of them starts it.
  private void startSoon(AgentTree.Alive agent, MessageId message) {
    var seat = new Slots.HeldSlot(agent.team(), agent.provider());
    if (database.dialect() == Dialect.SQLITE
        && slots.total() > 1
        && !agent.provider().equals("external")
        && slots.isFree(seat)) {
      start(new Leases.ReadyAgent(agent.id(), seat, message.value(), UNKNOWN_TURN, null));
    }
  }

  private void start(Leases.ReadyAgent ready) {
    AgentId agent = ready.agent();
    if (closing || !underWay.add(agent)) {
      return;
    }
    Slots.QueuePosition place = slots.enqueue(ready.slot(), ready.oldest());
    try {
      threads.execute(() -> run(ready, place));
    } catch (RejectedExecutionException e) {
      // Stopping.
      underWay.remove(agent);
    }
  }

  private void run(Leases.ReadyAgent ready, Slots.QueuePosition place) {
    AgentId agent = ready.agent();
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
    boolean isClaimed = false;
    try {
      // A turn that waited for a slot during shutdown does not start.
      isClaimed = !closing && oneTurn.run(agent);
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
    // Without a pause a turn that cannot be settled would fail again immediately; the next poll
    // retries it.
    if (isClaimed) {
      wake();
    } else if (settled) {
      lost(ready);
    }
  }

  private void lost(Leases.ReadyAgent ready) {
    synchronized (lock) {
      affinity.lost(ready, System.nanoTime());
      occasion.signalIn(affinity.headStart());
    }
    events.commits().notifyWaiters();
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
        leaseRenewer
            .renew(running.all())
            .forEach(turn -> running.interrupt(turn, "the turn lost its lease"));
        leaseRenewer.revokeExpired();
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
    events.commits().notifyWaiters();
    try {
      dispatcher.join();
      stopListening();
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

  private void stopListening() throws InterruptedException {
    try {
      notifications.close();
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void endRenewals() {
    hasEnded = true;
    ended.notifyWaiters();
  }
}
