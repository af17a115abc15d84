package dev.substrat.store;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// A database that remembers the statements of its write transactions.
public final class CountingDatabase implements Database {
  private final Database database;
  private final Queue<List<String>> transactions = new ConcurrentLinkedQueue<>();

  public CountingDatabase(Database database) {
    this.database = database;
  }

  /// The statements of each write transaction since the last call, without those that found nothing
  /// to do.
  public List<List<String>> takeWrites() {
    var taken = new ArrayList<List<String>>();
    for (List<String> one = transactions.poll(); one != null; one = transactions.poll()) {
      taken.add(one);
    }
    return taken;
  }

  private <T> TransactionBody<T> counted(TransactionBody<T> work) {
    return tx -> {
      T result = work.in(tx);
      if (Tx.open() == null && tx.mayHaveChanged()) {
        transactions.add(List.copyOf(tx.executed()));
      }
      return result;
    };
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    return Tx.open() == null ? database.transact(counted(work)) : database.transact(work);
  }

  @Override
  public void transactDeferred(TransactionBody<?> work, Consumer<Throwable> failed) {
    database.transactDeferred(counted(work), failed);
  }

  @Override
  public boolean hasOneWriter() {
    return database.hasOneWriter();
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    return database.read(work);
  }

  @Override
  public <T> T readByKey(TransactionBody<T> work) {
    return database.readByKey(work);
  }

  @Override
  public OptionalLong changeCounter(Set<String> tables) {
    return database.changeCounter(tables);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> wake) {
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
