package dev.substrat.store;

/// A database on which every transaction loses its first race and is tried again.
public final class SecondTries implements Database {
  private final Database database;

  public SecondTries(Database database) {
    this.database = database;
  }

  @Override
  public <T> T transact(Work<T> work) {
    if (Tx.open() == null) {
      database.dryRun(work);
    }
    return database.transact(work);
  }

  @Override
  public <T> T read(Work<T> work) {
    return database.read(work);
  }

  @Override
  public AutoCloseable listen(String channel, Runnable wake) {
    return database.listen(channel, wake);
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
