package dev.substrat.store;

import dev.substrat.platform.config.ConnectionPools;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/// The database: SQLite or PostgreSQL, with the same behaviour.
///
/// A transaction is one domain verb: it sees a consistent state, and all of it is durable when
/// [#transact] returns, or none of it is. The work **may run more than once** (after a
/// serialization failure or the failure of another transaction in the batch), so it touches nothing
/// but its [Tx]. Nothing slow happens inside, and no other transaction or read. An interrupt of the
/// caller does not stop it.
///
/// Safe for many threads; made for virtual ones. Not final, so that a simulation can wrap it.
public interface Database extends AutoCloseable {

  /// Opens the embedded database in `file`, on the current schema.
  static Database embedded(Path file, InstantSource clock) {
    return migrated(SqliteDatabase.open(file), clock);
  }

  /// Opens the PostgreSQL at a `jdbc:postgresql://…` address, on the current schema.
  static Database shared(String url, InstantSource clock) {
    return shared(url, clock, ConnectionPools.DEFAULT);
  }

  /// The same with at most so many connections.
  static Database shared(String url, InstantSource clock, ConnectionPools pools) {
    if (!PostgresDatabase.isAddress(url)) {
      // It may contain a password, so it is not quoted.
      throw ErrorCode.INVALID_CONFIG.fault(
          "the database address is not a valid jdbc:postgresql:// address",
          "for example jdbc:postgresql://localhost:5432/substrat?user=me&password=secret");
    }
    return migrated(PostgresDatabase.open(url, pools), clock);
  }

  private static Database migrated(Database database, InstantSource clock) {
    try {
      new Migrations(database, clock).run();
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /// Work of a transaction.
  @FunctionalInterface
  interface TransactionBody<T> {
    T in(Tx tx);
  }

  /// Runs `work` and returns its result once it is durable; inside of [Tx#including] it takes part
  /// in that transaction instead and is durable with it.
  <T> T transact(TransactionBody<T> work);

  /// Runs `work`, which has no result, as [#transact] does.
  default void run(Consumer<Tx> work) {
    transact(tx -> {
      work.accept(tx);
      return true;
    });
  }

  /// Runs `work` as [#transact] would, soon, without waiting: all later writes and reads of all
  /// threads see it. If the daemon is killed before it is durable, it is lost, together with
  /// everything after it. `failed` gets the reason if it could not be committed; it must be quick.
  /// Only if [#hasOneWriter].
  default void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
    throw new UnsupportedOperationException("this database has several writers");
  }

  /// Whether everything is written in the order in which it is handed in.
  default boolean hasOneWriter() {
    return false;
  }

  /// Dry run: runs `work` as [#transact] would, returns its result, and rolls it back.
  default <T> T dryRun(TransactionBody<T> work) {
    var outcome = new AtomicReference<Optional<T>>(Optional.empty());
    try {
      return transact(tx -> {
        outcome.set(Optional.of(work.in(tx)));
        throw new RollbackSignal();
      });
    } catch (RollbackSignal _) {
      return outcome.get().orElseThrow();
    }
  }

  /// Runs the read-only `work` on a snapshot. It waits only for writes queued by [#transactSoon].
  <T> T read(TransactionBody<T> work);

  /// Runs `work` like [#read], for a few rows that are found by their keys. If a query cannot take
  /// longer than a thread switch, it runs on the caller's thread. Writes queued by [#transactSoon]
  /// may be missing.
  default <T> T readByKey(TransactionBody<T> work) {
    return read(work);
  }

  /// A number that changes with each commit to one of these tables, before the commit is
  /// acknowledged; empty if other processes may change them, or if the current transaction does.
  default OptionalLong changeCounter(Set<String> tables) {
    return OptionalLong.empty();
  }

  /// A number that changes with each commit of this process to one of these tables, before the
  /// commit is acknowledged; it may also change without one.
  default long ownChanges(Set<String> tables) {
    return System.nanoTime();
  }

  /// Calls `heard` with the text of every [Tx#notifyAll] on `channel` that another daemon on this
  /// database has committed, and with an empty text after every reconnect, since some may have been
  /// missed.
  AutoCloseable listen(String channel, Consumer<String> heard);

  Dialect dialect();

  /// Reasons why the database cannot work for this program now; empty if it can. It is read and, if
  /// the last write failed, written to, so this takes as long as a transaction may take.
  default List<Fault> problems() {
    return new WriteHealth().problems(this);
  }

  /// Values for metrics that need no query.
  default List<StoreGauge> gauges() {
    return List.of();
  }

  @Override
  void close();
}
