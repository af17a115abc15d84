package dev.substrat.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Many callers whose transactions wait in one queue because the writer is busy with the first.
final class ConcurrentCallers implements AutoCloseable {
  static final Duration LIMIT = Duration.ofMinutes(2);

  private final Database database;
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<Caller<?>> callers = new ArrayList<>();

  ConcurrentCallers(Database database) {
    this.database = database;
  }

  /// A caller on its own thread.
  static final class Caller<T> {
    private final CompletableFuture<Callable<T>> outcome = new CompletableFuture<>();
    private final Thread thread;

    Caller(Database database, Database.TransactionBody<T> work) {
      this.thread = Thread.ofVirtual().start(() -> outcome.complete(call(database, work)));
    }

    private static <T> Callable<T> call(Database database, Database.TransactionBody<T> work) {
      try {
        T result = database.transact(work);
        return () -> result;
      } catch (Exception e) {
        return () -> {
          throw e;
        };
      } catch (Error e) {
        return () -> {
          throw e;
        };
      }
    }

    Thread thread() {
      return thread;
    }

    /// Result of the caller, or its failure as it was thrown.
    T outcome() throws Exception {
      try {
        return outcome.get(LIMIT.toSeconds(), TimeUnit.SECONDS).call();
      } catch (TimeoutException e) {
        throw new AssertionError("a caller hangs", e);
      }
    }
  }

  /// Occupies the writer until [#letTheWriterGo]; returns when it is occupied.
  void holdTheWriter() {
    var held = new CountDownLatch(1);
    callers.add(
        new Caller<>(
            database,
            tx -> {
              held.countDown();
              TestRows.await(go);
              return true;
            }));
    TestRows.await(held);
  }

  /// Returns when the call waits in the queue.
  <T> Caller<T> call(Database.TransactionBody<T> work) {
    var caller = new Caller<>(database, work);
    callers.add(caller);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (caller.thread().getState() != Thread.State.WAITING) {
      if (System.nanoTime() > end) {
        throw new AssertionError("the caller never waited: " + caller.thread().getState());
      }
      Thread.onSpinWait();
    }
    return caller;
  }

  void letTheWriterGo() {
    go.countDown();
  }

  @Override
  public void close() {
    go.countDown();
    CompletableFuture.allOf(
            callers.stream().map(caller -> caller.outcome).toArray(CompletableFuture[]::new))
        .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
        .join();
  }
}
