package dev.substrat.bench.mcp;

import dev.substrat.bench.Figure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One row of the benchmark: a server, its clients and requests, and the measurements.
final class BenchmarkRow {
  static final int CLIENTS = 16;

  private final ServerProcess server;
  private final URI url;
  private final List<RequestSource> askers;
  private final Figure rate;
  private final Figure cpu;
  private final Figure wait;

  /// Requests may differ per client, each with its own token.
  record RequestSource(@Nullable String token, BenchRequest question) {}

  BenchmarkRow(String name, ServerProcess server, String path, List<RequestSource> askers) {
    this.server = server;
    this.url = server.at(path);
    this.askers = List.copyOf(askers);
    this.rate = new Figure(name);
    this.cpu = new Figure(name + ": processor time per call");
    this.wait = new Figure(name + ": p99");
  }

  /// A row whose clients have no token.
  static BenchmarkRow open(String name, ServerProcess server, String path, BenchRequest question) {
    return new BenchmarkRow(
        name, server, path, Collections.nCopies(CLIENTS, new RequestSource(null, question)));
  }

  Figure rate() {
    return rate;
  }

  /// Microseconds of processor time per call, under full load.
  Figure cpu() {
    return cpu;
  }

  /// The 99th percentile at a given load, in microseconds.
  Figure wait99() {
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
  private interface Use {
    long of(List<BenchMcpClient> clients) throws Exception;
  }

  /// New ones each time, because servers do not keep idle connections for long.
  private void withClients(Use use) throws Exception {
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
}
