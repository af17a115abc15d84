package dev.substrat.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Reader of the event stream that reconnects after every interruption and resumes after the last
/// event. It keeps no events: it only compares their numbers.
final class StreamReader implements AutoCloseable {
  /// A daemon, while it lives.
  private final Supplier<Optional<RunningDaemon>> daemon;

  private final CountDownLatch over = new CountDownLatch(1);
  private final Queue<String> gaps = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile long last;

  StreamReader(Supplier<Optional<RunningDaemon>> daemon) {
    this.daemon = daemon;
    this.thread = Thread.ofVirtual().name("stream-reader").start(this::work);
  }

  private void work() {
    try {
      while (!over.await(200, TimeUnit.MILLISECONDS)) {
        Optional<RunningDaemon> one = daemon.get();
        if (one.isPresent()) {
          read(one.get());
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    } catch (Exception | AssertionError e) {
      gaps.add("the reader failed: " + e);
    }
  }

  private void read(RunningDaemon one) throws Exception {
    try (var client = one.client();
        var lines =
            new BufferedReader(
                new InputStreamReader(client.events(last), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          next(Long.parseLong(line.substring("id: ".length())));
        }
      }
    } catch (IOException | AssertionError _) {
      // The daemon died, or its database is away: the next connection resumes.
    }
  }

  private void next(long number) {
    if (number != last + 1) {
      gaps.add(number + " after " + last);
    }
    last = number;
  }

  long last() {
    return last;
  }

  /// Missing, repeated or unordered events.
  Queue<String> gaps() {
    return gaps;
  }

  @Override
  public void close() {
    over.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
