package dev.substrat.store;

import dev.substrat.platform.identity.RequestActor;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One transaction in [GroupCommit]: run by the writer, awaited by its caller.
///
/// Everything but the outcome belongs to the writer's thread; the future hands it over.
final class WriteJob<T> {
  private final Database.TransactionBody<T> work;

  /// The actor, which only the caller's thread knows.
  private final @Nullable RequestActor actor = RequestActor.current();

  private final Consumer<Throwable> whenFailed;
  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;
  private List<Runnable> afterCommit = List.of();
  private List<String> changing = List.of();

  WriteJob(Database.TransactionBody<T> work) {
    this(work, _ -> {});
  }

  /// A job that reports to `whenFailed` if it could not be committed.
  WriteJob(Database.TransactionBody<T> work, Consumer<Throwable> whenFailed) {
    this.work = work;
    this.whenFailed = whenFailed;
  }

  /// An empty job.
  static WriteJob<?> done() {
    var job = new WriteJob<>(_ -> true);
    job.outcome.complete(true);
    return job;
  }

  /// Runs the work and stores its outcome; the caller gets it only after the commit.
  void run(Tx tx) {
    try {
      result = RequestActor.call(actor, () -> tx.perform(work));
      afterCommit = tx.afterCommit();
      changing = tx.changing();
    } catch (StoreFailure e) {
      failure = Dialect.SQLITE.fault(e.reason());
    } catch (Throwable e) {
      // Every failure is reported to the caller; the writer must continue.
      failure = e;
    } finally {
      // An interrupt left by the work must not affect the next job.
      Thread.interrupted();
    }
  }

  boolean hasFailed() {
    return failure != null;
  }

  List<Runnable> afterCommit() {
    return afterCommit;
  }

  /// Statements that may have changed something.
  List<String> changing() {
    return changing;
  }

  /// Back to the state before [#run], to be run again.
  void forget() {
    result = null;
    failure = null;
    afterCommit = List.of();
    changing = List.of();
  }

  void failBecause(SQLException reason) {
    // The failure of the work is more specific than that of the commit.
    fail(failure == null ? Dialect.SQLITE.fault(reason) : failure);
  }

  /// Waiting callers are notified after the listener, so they see its effects.
  void fail(Throwable reason) {
    if (!outcome.isDone()) {
      whenFailed.accept(reason);
    }
    outcome.completeExceptionally(reason);
  }

  @SuppressWarnings("NullAway") // a T that is itself nullable is the work's own choice
  void answer() {
    if (failure != null) {
      fail(failure);
    } else {
      outcome.complete(result);
    }
  }

  boolean isOver() {
    return outcome.isDone();
  }

  /// Waits until it has ended, successfully or not.
  void awaitEnd() {
    outcome.handle((_, _) -> true).join();
  }

  /// Not interruptible: the work may be durable already, and the caller must know.
  T await() {
    try {
      return outcome.join();
    } catch (CompletionException e) {
      throw UninterruptibleWait.unchecked(e.getCause() == null ? e : e.getCause());
    }
  }
}
