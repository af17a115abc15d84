package dev.substrat.store;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits that ignore interrupts: a database operation that was started is finished, because it may
/// already be durable and its caller must know. The interrupt flag is restored afterwards.
final class UninterruptibleWait {
  private UninterruptibleWait() {}

  /// Runs `work` on one of `threads` and returns its result or throws its failure, as if it had run
  /// here. An interrupt of the caller does not reach it; on a virtual thread it would close the
  /// socket to PostgreSQL in the middle of a commit.
  static <T> T call(ExecutorService threads, Callable<T> work) {
    Future<T> result;
    try {
      result = threads.submit(work);
    } catch (RejectedExecutionException e) {
      throw stopping(e);
    }
    return await(() -> get(result));
  }

  static Fault stopping(@Nullable Throwable cause) {
    return ErrorCode.STOPPING.fault(
        "the daemon is stopping", "retry when the daemon is running again", cause);
  }

  private static <T> T get(Future<T> result) throws InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw unchecked(e.getCause() == null ? e : e.getCause());
    }
  }

  /// The exception to rethrow for a failure from another thread.
  static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException known -> known;
      case Error error -> throw error;
      default -> new IllegalStateException(failure);
    };
  }

  static void join(Thread thread) {
    await(() -> {
      thread.join();
      return true;
    });
  }

  /// Waits for running tasks on `threads` and rejects new ones. Accepted tasks are never dropped,
  /// because callers wait for them.
  static void close(ExecutorService threads) {
    threads.shutdown();
    await(() -> threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }

  private static <T> T await(WaitOperation<T> wait) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return wait.end();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private interface WaitOperation<T> {
    T end() throws InterruptedException;
  }
}
