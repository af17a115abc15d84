package dev.substrat.store;

import java.util.function.Consumer;

/// A database on which every transaction fails with a conflict once and is retried.
public final class RetryingDatabase implements Database {
  private final Database database;

  public RetryingDatabase(Database database) {
    this.database = database;
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    if (Tx.open() == null) {
      database.dryRun(work);
    }
    return database.transact(work);
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    return database.read(work);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    return database.listen(channel, heard);
  }

  @Override
  public Dialect dialect() {
    return database.dialect();
  }

  @Override
  public void close() {
    database.close();
  }
}
