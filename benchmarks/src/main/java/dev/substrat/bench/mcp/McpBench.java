package dev.substrat.bench.mcp;

import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.bench.DiskBaseline;
import dev.substrat.bench.NodePrograms;
import dev.substrat.bench.ThroughputMeasurement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Benchmark of calls per second over Streamable HTTP: ours, with and without records, compared
/// with echo servers on the official SDKs.
public final class McpBench {
  private static final int WARM_UPS = 4;
  private static final int STEADY_LOAD = 2_000;
  private static final Path OURS = Path.of("target", "bench");
  private static final Path PEER = Path.of("target", "bench-peer");

  private final Duration time;
  private final int rounds;
  private final List<ServerProcess> open = new ArrayList<>();
  private final List<BenchmarkRow> contenders = new ArrayList<>();

  public McpBench(Duration time, int rounds) {
    this.time = time;
    this.rounds = rounds;
  }

  public BenchmarkReport run() throws Exception {
    try {
      return measured();
    } finally {
      for (ServerProcess one : open.reversed()) {
        one.close();
      }
    }
  }

  private BenchmarkReport measured() throws Exception {
    var commits = new BenchmarkFigure("raw append + fsync");
    double busy = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-");
    BenchRequest echo = BenchRequest.echo();
    var floor =
        new BenchRequest(
            "tools/call", echo.params(), (body, _) -> body.equals(FixedAnswerServer.BODY));
    add("floor: socket, virtual threads, fixed answer", ours("FixedAnswerServer"), "/", floor);
    ServerProcess java = opened(ServerProcess.java(PEER, "dev.substrat.bench.peer.SdkServer"));
    BenchmarkRow sdk = add("official Java SDK, echo", java, "/mcp", echo);
    BenchmarkRow stateless =
        add("official Java SDK without sessions, echo", java, "/stateless", echo);
    var script = new ArrayList<BenchmarkRow>();
    String missing = addTypeScript(script, echo);
    ServerProcess bare = ours("EchoServer", folder.resolve("echo.sock").toString());
    BenchmarkRow ourEcho = add("ours, unrecorded: echo", bare, "/mcp", echo);
    Path data = folder.resolve("data");
    var daemon = new DaemonBenchmarkRows(opened(DaemonBenchmarkRows.start(OURS, data)), data);
    BenchmarkRow list = add(daemon.toolsList());
    BenchmarkRow noop = add(daemon.noop());
    BenchmarkRow send = add(daemon.sendMessage());
    try (var disk = new DiskBaseline(folder)) {
      rounds(
          List.of(sdk, noop),
          () -> commits.add(ThroughputMeasurement.of(1, time, _ -> disk.append())));
    }
    var rows = new ComparedRows(sdk, stateless, script, ourEcho, list, noop, send);
    BenchmarkReport report = compared(rows).noting(disk(commits, busy));
    return missing.isEmpty() ? report : report.noting(missing);
  }

  /// The compared rows; `typeScript` is empty if it is not installed.
  private record ComparedRows(
      BenchmarkRow java,
      BenchmarkRow stateless,
      List<BenchmarkRow> typeScript,
      BenchmarkRow echo,
      BenchmarkRow list,
      BenchmarkRow noop,
      BenchmarkRow send) {}

  private BenchmarkReport compared(ComparedRows rows) {
    BenchmarkRow java = rows.java();
    BenchmarkRow noop = rows.noop();
    var report = new BenchmarkReport("mcp", "calls/s", java.rate(), rates());
    var bars = new BenchmarkTargets(report, java, rows.typeScript());
    bars.atLeast("unrecorded tools/list", rows.list(), 2, 20);
    bars.atLeast("unrecorded echo", rows.echo(), 3, 20);
    bars.atLeast("recorded no-op", noop, 1, 12);
    bars.atLeast("durable send_message", rows.send(), 0.3, 4);
    bars.atMost("processor time per call, recorded no-op", noop.cpu(), java.cpu());
    bars.atMost(
        "p99 at %d calls/s, recorded no-op".formatted(STEADY_LOAD), noop.wait99(), java.wait99());
    return report.noting(
        String.format(
            Locale.ROOT,
            "the Java SDK without sessions, for comparison: recorded no-op %.2fx of it, echo %.2fx",
            noop.rate().ratioTo(rows.stateless().rate()),
            rows.echo().rate().ratioTo(rows.stateless().rate())));
  }

  private static String disk(BenchmarkFigure commits, double busy) {
    return String.format(
        Locale.ROOT,
        "the disk by itself, append + fsync: %.0f/s; a recorded call and a message wait for one of"
            + " them; load of the machine before the run: %.1f on %d processors",
        commits.median(),
        busy,
        Runtime.getRuntime().availableProcessors());
  }

  /// Why there is none, if so.
  private String addTypeScript(List<BenchmarkRow> found, BenchRequest echo)
      throws IOException, InterruptedException {
    try {
      ServerProcess node = opened(ServerProcess.start(NodePrograms.command("echo-http.mjs")));
      found.add(add("TypeScript SDK, echo", node, "/mcp", echo));
      return "";
    } catch (NodePrograms.ProgramMissingException missing) {
      return "TypeScript SDK: skipped, because " + missing.getMessage();
    }
  }

  private ServerProcess ours(String main, String... arguments) throws IOException {
    String name = McpBench.class.getPackageName() + "." + main;
    return opened(ServerProcess.java(OURS, name, arguments));
  }

  private ServerProcess opened(ServerProcess server) {
    open.add(server);
    return server;
  }

  private BenchmarkRow add(String name, ServerProcess server, String path, BenchRequest question) {
    return add(BenchmarkRow.open(name, server, path, question));
  }

  private BenchmarkRow add(BenchmarkRow contender) {
    contenders.add(contender);
    return contender;
  }

  private List<BenchmarkFigure> rates() {
    return contenders.stream().map(BenchmarkRow::rate).toList();
  }

  private void rounds(List<BenchmarkRow> steady, Runnable besides) throws Exception {
    for (int round = 1 - WARM_UPS; round <= rounds; round++) {
      System.err.printf("mcp: round %d of %d%n", round, rounds);
      for (BenchmarkRow contender : contenders) {
        if (round < 1) {
          contender.warmUp(time);
        } else {
          contender.measure(time);
        }
      }
      if (round >= 1) {
        besides.run();
        for (BenchmarkRow contender : steady) {
          contender.measureWait(STEADY_LOAD, time);
        }
      }
    }
  }

  /// Compares figures with their targets.
  private static final class BenchmarkTargets {
    private final BenchmarkReport report;
    private final BenchmarkRow java;
    private final List<BenchmarkRow> typeScript;

    /// `typeScript` is empty if there is none.
    BenchmarkTargets(BenchmarkReport report, BenchmarkRow java, List<BenchmarkRow> typeScript) {
      this.report = report;
      this.java = java;
      this.typeScript = typeScript;
    }

    void atLeast(String what, BenchmarkRow ours, double timesJava, double timesTypeScript) {
      var line = new StringBuilder(what + ": " + bar(ours, java, "the Java SDK's echo", timesJava));
      for (BenchmarkRow one : typeScript) {
        line.append(", ").append(bar(ours, one, "the TypeScript SDK's", timesTypeScript));
      }
      report.noting(line.toString());
    }

    private static String bar(BenchmarkRow ours, BenchmarkRow theirs, String whose, double least) {
      double ratio = ours.rate().ratioTo(theirs.rate());
      return String.format(
          Locale.ROOT,
          "%.2fx %s (bar: at least %s%s)",
          ratio,
          whose,
          number(least),
          ratio >= least ? "" : ", MISSED");
    }

    /// Less is better.
    void atMost(String what, BenchmarkFigure ours, BenchmarkFigure theirs) {
      double ratio = ours.ratioTo(theirs);
      report.noting(
          String.format(
              Locale.ROOT,
              "%s: %.0f µs to the Java SDK's %.0f, %.2fx (bar: at most 1x%s)",
              what,
              ours.median(),
              theirs.median(),
              ratio,
              ratio <= 1 ? "" : ", MISSED"));
    }

    private static String number(double value) {
      return value == Math.rint(value) ? "%.0fx".formatted(value) : value + "x";
    }
  }
}
