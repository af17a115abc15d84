package dev.substrat.store;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sqlite.SQLiteConfig;

/// The embedded database: one SQLite file, one writer with group commit, concurrent readers on
/// snapshots.
final class SqliteDatabase implements Database {
  /// `Subs` in ASCII, to recognise our own files.
  private static final int APPLICATION_ID = 0x53756273;

  /// 16 MB. When it is full, the writer stops to copy it into the file. Each page is copied once,
  /// however often it was written, so fewer and longer stops cost less in total.
  private static final int PAGES_IN_LOG = 4_000;

  private final Path file;
  private final GroupCommit writer;
  private final SnapshotReaderPool readers;
  private final SqliteIntegrityCheck integrity;
  private final WriteHealth writes = new WriteHealth();

  private SqliteDatabase(Path file, Connection connection, boolean isCheckDue) {
    this.file = file;
    this.writer = new GroupCommit(connection);
    this.readers = new SnapshotReaderPool(() -> connectReadOnly(file));
    this.integrity = new SqliteIntegrityCheck(file, isCheckDue, () -> connectReadOnly(file));
  }

  static SqliteDatabase open(Path file) {
    boolean isCheckDue = SqliteIntegrityCheck.isDue(file);
    try {
      Connection connection = connect(file);
      try {
        // Before anything is written: a file of another program stays as it is.
        requireOurs(connection, file);
        requireLog(connection, file);
        execute(connection, "pragma wal_autocheckpoint = " + PAGES_IN_LOG);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        throw e;
      }
      return new SqliteDatabase(file, connection, isCheckDue);
    } catch (SQLException e) {
      throw SqliteFaults.of(e);
    }
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    Tx open = Tx.open();
    return open == null
        ? noticingDamage(() -> writes.watch(work, writer::transact))
        : work.in(open);
  }

  @Override
  public void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
    writer.transactSoon(
        work,
        reason -> {
          writes.failed(reason);
          failed.accept(reason);
        });
  }

  @Override
  public boolean hasOneWriter() {
    return true;
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    Tx open = Tx.open();
    if (open != null) {
      return work.in(open);
    }
    writer.catchUp();
    return noticingDamage(() -> readers.read(work));
  }

  @Override
  public <T> T readByKey(TransactionBody<T> work) {
    Tx open = Tx.open();
    return open == null ? noticingDamage(() -> readers.glance(work)) : work.in(open);
  }

  private <T> T noticingDamage(Supplier<T> access) {
    try {
      return access.get();
    } catch (Fault fault) {
      if (fault.code() == ErrorCode.DATABASE_CORRUPT) {
        integrity.damaged("found by a query");
      }
      throw fault;
    }
  }

  @Override
  public List<Fault> problems() {
    var problems = new ArrayList<Fault>();
    integrity.problem().ifPresent(problems::add);
    problems.addAll(writes.problems(this));
    return problems;
  }

  @Override
  public List<StoreGauge> gauges() {
    return List.of(
        new StoreGauge("substrat.database.writer.queue", writer::queued),
        new StoreGauge("substrat.database.bytes", () -> size(file)),
        new StoreGauge("substrat.database.wal.bytes", () -> size(log(file))));
  }

  /// The write-ahead log of `file`.
  static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  /// 0 if there is no such file.
  static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public OptionalLong changeCounter(Set<String> tables) {
    return Tx.open() == null ? OptionalLong.of(writer.changes(tables)) : OptionalLong.empty();
  }

  @Override
  public long ownChanges(Set<String> tables) {
    return writer.changes(tables);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    // Only one daemon uses the file.
    return () -> {};
  }

  @Override
  public Dialect dialect() {
    return Dialect.SQLITE;
  }

  @Override
  public void close() {
    integrity.close();
    readers.close();
    writer.close();
  }

  private static Connection connect(Path file) throws SQLException {
    var config = new SQLiteConfig();
    // Every commit is durable before it is acknowledged.
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(5_000);
    config.enforceForeignKeys(true);
    // Savepoints store data for a rollback; on disk that would be as much again as the log.
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    // Otherwise the driver queries the last row's id after every insert.
    config.setGetGeneratedKeys(false);
    // As a URI, because a question mark in a path would start the options.
    return config.createConnection("jdbc:sqlite:" + file.toUri());
  }

  private static Connection connectReadOnly(Path file) throws SQLException {
    Connection connection = connect(file);
    execute(connection, "pragma query_only = on");
    return connection;
  }

  private static void requireOurs(Connection connection, Path file) throws SQLException {
    long owner = number(connection, "pragma application_id");
    boolean empty = number(connection, "select count(*) from sqlite_master") == 0;
    if (owner != APPLICATION_ID && !(owner == 0 && empty)) {
      throw ErrorCode.DATABASE_FOREIGN.fault(
          file + " belongs to another program", "use another --data directory");
    }
  }

  /// Readers beside the writer need the write-ahead log, and that needs memory shared by mapping.
  private static void requireLog(Connection connection, Path file) throws SQLException {
    if (!text(connection, "pragma journal_mode = wal").equals("wal")) {
      throw ErrorCode.DATABASE_UNREACHABLE.fault(
          "the file system of " + file + " does not support write-ahead logging",
          "use a local disk with --data, or PostgreSQL with --db");
    }
    if (number(connection, "pragma application_id") != APPLICATION_ID) {
      execute(connection, "pragma application_id = " + APPLICATION_ID);
    }
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(query)) {
      return result.next() ? result.getString(1) : "";
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var result = statement.executeQuery(query)) {
      return result.next() ? result.getLong(1) : 0;
    }
  }

  private static void execute(Connection connection, String command) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(command);
    }
  }
}
