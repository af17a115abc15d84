package dev.substrat.bench.mcp;

import dev.substrat.bench.BenchmarkFigure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// One row of the benchmark: a server, its clients and requests, and the measurements.
final class BenchmarkRow {
  static final int CLIENTS = 16;

  private final ServerProcess server;
  private final URI url;
  private final List<RequestSource> askers;
  private final BenchmarkFigure rate;
  private final BenchmarkFigure cpu;
  private final BenchmarkFigure wait;

  /// Requests may differ per client, each with its own token.
  record RequestSource(@Nullable String token, BenchRequest question) {}

  BenchmarkRow(String name, ServerProcess server, String path, List<RequestSource> askers) {
    this.server = server;
    this.url = server.at(path);
    this.askers = List.copyOf(askers);
    this.rate = new BenchmarkFigure(name);
    this.cpu = new BenchmarkFigure(name + ": processor time per call");
    this.wait = new BenchmarkFigure(name + ": p99");
  }

  /// A row whose clients have no token.
  static BenchmarkRow open(String name, ServerProcess server, String path, BenchRequest question) {
    return new BenchmarkRow(
        name, server, path, Collections.nCopies(CLIENTS, new RequestSource(null, question)));
  }

  BenchmarkFigure rate() {
    return rate;
  }

  /// Microseconds of processor time per call, under full load.
  BenchmarkFigure cpu() {
    return cpu;
  }

  /// The 99th percentile at a given load, in microseconds.
  BenchmarkFigure wait99() {
    return wait;
  }

  void warmUp(Duration time) throws Exception {
    withClients(clients -> LoadGenerator.asFastAsTheyCan(clients, time));
  }

  void measure(Duration time) throws Exception {
    withClients(clients -> {
      Duration before = server.cpu();
      long start = System.nanoTime();
      long answers = LoadGenerator.asFastAsTheyCan(clients, time);
      double seconds = (System.nanoTime() - start) / 1e9;
      rate.add(answers / seconds);
      cpu.add(server.cpu().minus(before).toNanos() / 1e3 / answers);
      return answers;
    });
  }

  void measureWait(int perSecond, Duration time) throws Exception {
    withClients(clients -> {
      long nanos = LoadGenerator.percentile99(clients, perSecond, time);
      wait.add(nanos / 1e3);
      return nanos;
    });
  }

  /// A measurement with connected clients.
  private interface ClientMeasurement {
    long of(List<BenchMcpClient> clients) throws Exception;
  }

  /// New ones each time, because servers do not keep idle connections for long.
  private void withClients(ClientMeasurement use) throws Exception {
    var clients = new ArrayList<BenchMcpClient>();
    try {
      for (RequestSource asker : askers) {
        clients.add(new BenchMcpClient(url, asker.token(), asker.question()));
      }
      use.of(clients);
    } finally {
      for (BenchMcpClient client : clients) {
        close(client);
      }
    }
  }

  private static void close(BenchMcpClient client) {
    try {
      client.close();
    } catch (IOException e) {
      // It is not used any more.
    }
  }

  /// Closed-loop and fixed-rate load, on one platform thread per client: for few clients these cost
  /// less than virtual threads.
  private static final class LoadGenerator {
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
    /// the 99th percentile in nanoseconds. If a client still waits for an earlier answer, the
    /// waiting time of the next request counts from its due time.
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
}
