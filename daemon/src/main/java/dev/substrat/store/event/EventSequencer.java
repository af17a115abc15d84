package dev.substrat.store.event;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.util.Optional;

/// Numbers committed events on PostgreSQL, so that a reader never sees number n+1 before n.
///
/// Transactions write to `event_staging` in parallel. The holder of the row lock of `event_counter`
/// moves committed rows to `event` with consecutive numbers, and keeps the lock until that is
/// durable. The lock is taken in a separate statement before the one that reads the staged rows, so
/// that the read sees everything committed while it waited. Therefore:
///
/// * no gaps: numbers come from one counter, changed in the same transaction as the rows;
/// * no late arrivals: the next holder continues after the last committed number;
/// * cause before effect: a writer that has read a committed event gets a larger staging id, and
///   any read that sees the second row sees the first.
///
/// Every daemon numbers after its own commits, but not while another one does: it tries again after
/// [#PACE], and finds nothing if the other one has numbered its events, too. The pace also lets the
/// events of several transactions share one numbering, which costs a commit and a notification of
/// all daemons. Every daemon tries periodically in case another one died between its commit and its
/// numbering.
final class EventSequencer implements AutoCloseable {
  private static final Log LOG = Log.of(EventSequencer.class);
  private static final int BATCH = 1_000;
  private static final Duration RESCUE_EVERY = Duration.ofSeconds(1);

  /// Minimum pause between two attempts.
  private static final Duration PACE = Duration.ofMillis(5);

  /// Moves staged rows and returns how many. The counter is locked already. It notifies the readers
  /// of all daemons.
  private static final String MOVE =
      """
      with moved as (
        delete from event_staging
        where id in (select id from event_staging order by id limit ?)
        returning id, at, kind, agent_id, peer_id, space_id, run_id, payload
      ), named as (
        select agent_id as id from moved union select peer_id from moved
        union select space_id from moved union select run_id from moved
      ), added as (
        insert into event_entity (id)
        select id from named where id is not null
          and not exists (select 1 from event_entity known where known.id = named.id)
        returning no, id
      ), entity as (
        select no, id from added
        union all select event_entity.no, event_entity.id from event_entity join named using (id)
      ), numbered as (
        insert into event (seq, at, kind, agent_no, peer_no, space_no, run_no, payload)
        select ? + row_number() over (order by moved.id), at, kind,
          agent.no, peer.no, space.no, run.no, payload
        from moved
          left join entity agent on agent.id = agent_id
          left join entity peer on peer.id = peer_id
          left join entity space on space.id = space_id
          left join entity run on run.id = run_id
        returning seq
      ), counted as (
        update event_counter set last = seen.last
        from (select max(seq) as last from numbered) seen where seen.last is not null
      )
      select n, case when n > 0 then pg_notify(?, '') end
      from (select count(*) as n from numbered) summary
      """;

  private static final String LOCK = "select last from event_counter for update skip locked";

  private final Database database;
  private final String channel;
  private final Runnable numbered;
  private final EventSignal staged = new EventSignal();

  /// Rings once.
  private final EventSignal stop = new EventSignal();

  /// One object, so that a batch of many transactions signals once.
  private final Runnable waking = staged::notifyWaiters;

  private final Thread thread;
  private volatile boolean closing;

  /// Runs `numbered` here and notifies `channel` whenever there is more to read.
  EventSequencer(Database database, String channel, Runnable numbered) {
    this.database = database;
    this.channel = channel;
    this.numbered = numbered;
    this.thread = Thread.ofVirtual().name("event-sequencer").start(this::work);
  }

  /// After-commit action of a transaction with events to be numbered.
  Runnable waking() {
    return waking;
  }

  /// Rings after each commit of this daemon with events to be numbered.
  EventSignal commits() {
    return staged;
  }

  private void work() {
    while (!closing) {
      long seen = staged.count();
      long start = System.nanoTime();
      try {
        if (numberAll()) {
          staged.awaitMoreThan(seen, RESCUE_EVERY);
        }
        stop.awaitMoreThan(0, PACE.minusNanos(System.nanoTime() - start));
      } catch (RuntimeException e) {
        pauseAfter(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /// False if another daemon is numbering: its transaction may not see the newest events.
  private boolean numberAll() {
    Optional<Long> moved;
    do {
      moved = database.transact(this::number);
      if (moved.orElse(0L) > 0) {
        numbered.run();
      }
    } while (moved.isPresent() && moved.get() == BATCH);
    return moved.isPresent();
  }

  private Optional<Long> number(Tx tx) {
    return tx.find(LOCK, row -> row.number("last"))
        .map(last -> tx.number(MOVE, BATCH, last, channel));
  }

  /// Retries after any failure, because events are invisible without numbers.
  private void pauseAfter(RuntimeException e) {
    if (closing) {
      return;
    }
    if (e instanceof Fault fault && fault.code().kind() == ErrorCode.ErrorKind.OUTSIDE) {
      LOG.warn("cannot number new events", "code", fault.code(), "reason", fault.message());
    } else {
      LOG.error("cannot number new events", e);
    }
    try {
      Thread.sleep(RESCUE_EVERY);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing = true;
    stop.notifyWaiters();
    staged.notifyWaiters();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
