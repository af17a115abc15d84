package dev.substrat.bench.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/// Closed-loop and fixed-rate load, on one platform thread per client: for few clients these cost
/// less than virtual threads.
final class LoadGenerator {
  private LoadGenerator() {}

  /// Closed loop: each client sends the next request as soon as it has an answer. Returns the
  /// number of answers.
  static long asFastAsTheyCan(List<BenchMcpClient> clients, Duration time) throws Exception {
    long end = System.nanoTime() + time.toNanos();
    var loops = new ArrayList<Callable<Long>>();
    for (BenchMcpClient client : clients) {
      loops.add(() -> repeat(client, end));
    }
    return together(loops).stream().mapToLong(Long::longValue).sum();
  }

  private static long repeat(BenchMcpClient client, long end) throws Exception {
    long answers = 0;
    while (System.nanoTime() < end) {
      client.ask();
      answers++;
    }
    return answers;
  }

  /// Fixed rate: `perSecond` requests in total, whether or not earlier ones are answered. Returns
  /// the 99th percentile in nanoseconds. If a client still waits for an earlier answer, the waiting
  /// time of the next request counts from its due time.
  static long percentile99(List<BenchMcpClient> clients, int perSecond, Duration time)
      throws Exception {
    long gap = Duration.ofSeconds(1).toNanos() / perSecond;
    long rounds = time.toNanos() / gap / clients.size();
    long start = System.nanoTime() + Duration.ofMillis(10).toNanos();
    var loops = new ArrayList<Callable<long[]>>();
    for (int who = 0; who < clients.size(); who++) {
      BenchMcpClient client = clients.get(who);
      long first = start + who * gap;
      loops.add(() -> byTheClock(client, first, gap * clients.size(), (int) rounds));
    }
    long[] all = together(loops).stream().flatMapToLong(LongStream::of).toArray();
    Arrays.sort(all);
    return all[(int) (all.length * 0.99)];
  }

  private static long[] byTheClock(BenchMcpClient client, long first, long gap, int times)
      throws Exception {
    var waited = new long[times];
    for (int i = 0; i < times; i++) {
      long due = first + i * gap;
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      client.ask();
      waited[i] = System.nanoTime() - due;
    }
    return waited;
  }

  private static <T> List<T> together(List<Callable<T>> loops) throws Exception {
    try (var threads = Executors.newFixedThreadPool(loops.size())) {
      var results = new ArrayList<T>();
      for (Future<T> one : threads.invokeAll(loops)) {
        results.add(one.get());
      }
      return results;
    }
  }
}
