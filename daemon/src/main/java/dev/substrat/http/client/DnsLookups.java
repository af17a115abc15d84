package dev.substrat.http.client;

import dev.substrat.http.address.NameResolver;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// DNS lookups with a deadline.
///
/// The system's lookup cannot be interrupted and keeps its thread, and the carrier of a virtual
/// thread, while a name server does not respond. So lookups run on separate platform threads, and a
/// caller waits only until its deadline.
final class DnsLookups implements AutoCloseable {
  private static final int THREADS = 32;
  private static final int IDLE_SECONDS = 10;

  private final NameResolver resolver;
  private final ThreadPoolExecutor threads;

  DnsLookups(NameResolver resolver) {
    this.resolver = resolver;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("dns lookup ", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  List<InetAddress> addresses(String name, CallDeadline deadline) {
    try {
      Future<List<InetAddress>> found = threads.submit(() -> resolver.resolve(name));
      try {
        return found.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
      } finally {
        found.cancel(true);
      }
    } catch (ExecutionException e) {
      throw new OutgoingFailure(
          FailureReason.DNS_FAILED,
          "cannot resolve host " + name,
          "check the host name",
          e.getCause());
    } catch (TimeoutException e) {
      throw new OutgoingFailure(
          FailureReason.TIMED_OUT, "DNS lookup of " + name + " timed out", "retry later", e);
    } catch (RejectedExecutionException e) {
      throw givenUp(name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw givenUp(name, e);
    }
  }

  private static OutgoingFailure givenUp(String name, Exception cause) {
    return new OutgoingFailure(
        FailureReason.CANCELLED,
        "the request to " + name + " was cancelled",
        "retry if needed",
        cause);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
