package dev.substrat.server.health;

import dev.substrat.platform.identity.Uuid7;
import dev.substrat.platform.log.Log;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.StoreGauge;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Gauges of the queue, messages, leases and the event log, for `/metrics`.
///
/// A background thread reads them from the database every five seconds. A scrape gets the last
/// values, so it works while the database is down; `substrat.metrics.age.seconds` says how old they
/// are.
///
/// Safe for many threads.
public final class QueueGauges implements AutoCloseable {
  private static final Log LOG = Log.of(QueueGauges.class);
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration MAX_JOIN_WAIT = Duration.ofSeconds(2);

  /// Events that wait for a turn; external agents have no turns.
  private static final String WAITING =
      """
      select count(*) as n, min(inbox_event.id) as oldest,
        coalesce(sum(case when inbox_event.attempts > 0 then 1 else 0 end), 0) as retries
      from inbox_event join agent on agent.id = inbox_event.agent_id
      where inbox_event.turn_no is null and inbox_event.held = 0 and agent.provider <> 'external'
        and agent.terminated_at is null
      """;

  private static final String HELD =
      """
      select (select count(*) from inbox_event where held = 1)
        + (select count(*) from space_round where state = 'held') as n
      """;

  /// The first condition is that of an index. Counting stops at 10,000.
  private static final String DEAD =
      """
      select count(*) as n from (
        select 1 as one from message
        where (dead_at is not null or expired_at is not null) and status = 'dead' limit 10000
      ) dead
      """;

  private final Database database;
  private final InstantSource clock;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable GaugeValues values;

  /// What was read at `at`. `unnumbered` is the time of the oldest event that has no number yet.
  private record GaugeValues(
      Instant at,
      long waiting,
      @Nullable Instant oldest,
      long retries,
      long held,
      long dead,
      long leases,
      long lastEvent,
      @Nullable Instant unnumbered,
      long bytes) {}

  private QueueGauges(Database database, Telemetry telemetry, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    number(telemetry, "substrat.inbox.waiting", GaugeValues::waiting);
    age(telemetry, "substrat.inbox.oldest.age.seconds", GaugeValues::oldest);
    number(telemetry, "substrat.inbox.retries.waiting", GaugeValues::retries);
    number(telemetry, "substrat.messages.held", GaugeValues::held);
    number(telemetry, "substrat.messages.dead", GaugeValues::dead);
    number(telemetry, "substrat.leases", GaugeValues::leases);
    number(telemetry, "substrat.events.last", GaugeValues::lastEvent);
    age(telemetry, "substrat.events.lag.seconds", GaugeValues::unnumbered);
    age(telemetry, "substrat.metrics.age.seconds", GaugeValues::at);
    for (StoreGauge gauge : database.gauges()) {
      telemetry.gauge(gauge.name(), gauge.value(), gauge.tags().toArray(String[]::new));
    }
    switch (database.dialect()) {
      case SQLITE -> {}
      // A query, unlike the size of a file.
      case POSTGRES -> number(telemetry, "substrat.database.bytes", GaugeValues::bytes);
    }
    this.thread = Thread.ofVirtual().name("queue-gauges").start(this::work);
  }

  /// Registers the gauges and keeps their values current until it is closed.
  public static QueueGauges start(Database database, Telemetry telemetry, InstantSource clock) {
    return new QueueGauges(database, telemetry, clock);
  }

  private void number(Telemetry telemetry, String name, ToLongFunction<GaugeValues> number) {
    telemetry.gauge(
        name,
        () -> {
          GaugeValues known = values;
          return known == null ? Double.NaN : (double) number.applyAsLong(known);
        });
  }

  /// Seconds since then; 0 if there is no such time.
  private void age(
      Telemetry telemetry, String name, Function<GaugeValues, @Nullable Instant> time) {
    telemetry.gauge(
        name,
        () -> {
          GaugeValues known = values;
          if (known == null) {
            return Double.NaN;
          }
          Instant then = time.apply(known);
          return then == null
              ? 0.0
              : Math.max(0, Duration.between(then, clock.instant()).toMillis() / 1000.0);
        });
  }

  private void work() {
    try {
      do {
        refresh();
      } while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refresh() {
    try {
      values = database.read(this::read);
    } catch (RuntimeException e) {
      // The age of the values shows it; [ReadinessCheck] reports why.
      LOG.debug("cannot read the values for metrics", "reason", e.getMessage());
    }
  }

  private GaugeValues read(Tx tx) {
    WaitingEvents waiting =
        tx.list(
                WAITING,
                row ->
                    new WaitingEvents(
                        row.number("n"), row.textOrNull("oldest"), row.number("retries")))
            .getFirst();
    return new GaugeValues(
        clock.instant(),
        waiting.count(),
        waiting.oldest() == null ? null : Uuid7.createdAt(waiting.oldest()),
        waiting.retries(),
        tx.number(HELD),
        tx.number(DEAD),
        tx.number("select count(*) as n from agent where lease_until > " + tx.dialect().now()),
        tx.number("select coalesce(max(seq), 0) as n from event"),
        unnumbered(tx),
        bytes(tx));
  }

  private record WaitingEvents(long count, @Nullable String oldest, long retries) {}

  /// SQLite numbers events as it writes them.
  private static @Nullable Instant unnumbered(Tx tx) {
    return switch (tx.dialect()) {
      case SQLITE -> null;
      case POSTGRES ->
          tx
              .list("select at from event_staging order by id limit 1", row -> row.instant("at"))
              .stream()
              .findFirst()
              .orElse(null);
    };
  }

  private static long bytes(Tx tx) {
    return switch (tx.dialect()) {
      case SQLITE -> 0;
      case POSTGRES -> tx.number("select pg_database_size(current_database()) as n");
    };
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(MAX_JOIN_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
