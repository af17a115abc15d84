package dev.substrat.http.server;

import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Limits how many bytes of large request bodies are in memory at the same time.
///
/// A parsed body takes several times its size, so large bodies share a small part of the heap, and
/// a request waits for its turn before its body is read. Small bodies never wait. Safe for many
/// threads.
final class RequestBodyMemory {
  /// Bodies up to this size are not counted.
  static final int SMALL = 64 * 1024;

  /// The part of the heap that large bodies share, as a divisor.
  static final int PART_OF_HEAP = 32;

  private static final int KIB = 1024;

  private final Semaphore kibibytes;
  private final Duration timeout;

  RequestBodyMemory(long bytes, Duration timeout) {
    // The largest body must fit, however small the heap is.
    this.kibibytes =
        new Semaphore((int) (Math.max(bytes, RequestBodyReader.MAX_BYTES) / KIB), true);
    this.timeout = timeout;
  }

  /// Share of one request, until it is closed. Used by the request's thread.
  final class MemoryShare implements AutoCloseable {
    private int taken;

    /// Waits until there is memory for a body of this size.
    void take(int bytes) {
      int wanted = bytes <= SMALL ? 0 : (bytes + KIB - 1) / KIB - taken;
      if (wanted <= 0) {
        return;
      }
      try {
        if (!kibibytes.tryAcquire(wanted, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
          throw ErrorCode.LIMIT_REACHED.fault(
              "too many large requests at the same time",
              "retry later, or send requests of less than 64 KiB");
        }
        taken += wanted;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw ErrorCode.STOPPING.fault("the daemon is stopping", "retry later", e);
      }
    }

    @Override
    public void close() {
      kibibytes.release(taken);
      taken = 0;
    }
  }
}
