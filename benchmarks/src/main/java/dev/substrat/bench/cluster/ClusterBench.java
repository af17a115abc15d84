package dev.substrat.bench.cluster;

import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.bench.mcp.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns per second of one to three daemons that share one PostgreSQL: as many as the machine
/// allows, and with an equal quota of processor time for each daemon, which leaves the rest of the
/// machine to PostgreSQL.
public final class ClusterBench {
  /// Questions and answers in the inboxes, so that all daemons are busy.
  private static final int WAITING = 2 * ClusterTeam.AGENTS;

  /// Share of one core.
  private static final double QUOTA = 0.4;

  /// A figure takes that many times as long as in other benchmarks, and half of it to warm up: new
  /// processes compile first.
  private static final int LONGER = 6;

  private static final Duration SAMPLE_EVERY = Duration.ofMillis(20);

  /// `quota` limits each daemon's processor time; null for no limit.
  private record Setup(String name, int daemons, @Nullable Double quota) {}

  private static final List<Setup> SETUPS =
      List.of(
          new Setup("1 daemon", 1, null),
          new Setup("2 daemons", 2, null),
          new Setup("3 daemons", 3, null),
          new Setup("1 daemon, %.1f core".formatted(QUOTA), 1, QUOTA),
          new Setup("2 daemons, %.1f core each".formatted(QUOTA), 2, QUOTA));

  private final Duration time;
  private final int rounds;

  public ClusterBench(Duration time, int rounds) {
    this.time = time.multipliedBy(LONGER);
    this.rounds = rounds;
  }

  /// One measurement; times in seconds.
  private record Result(
      double turns,
      double seconds,
      double daemonCpu,
      double serverCpu,
      double roundTrips,
      double lockWait,
      Map<String, Integer> waits,
      String slowest) {}

  public BenchmarkReport run() throws Exception {
    var rates = SETUPS.stream().map(setup -> new BenchmarkFigure(setup.name())).toList();
    var perCpu = SETUPS.stream().map(setup -> new BenchmarkFigure(setup.name())).toList();
    var last = new Result[SETUPS.size()];
    try (var server = new ClusterDatabase()) {
      for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < SETUPS.size(); i++) {
          Setup setup = SETUPS.get(i);
          System.err.printf("cluster: round %d of %d, %s%n", round, rounds, setup.name());
          Result result = measure(server, setup);
          last[i] = result;
          rates.get(i).add(result.turns() / result.seconds());
          perCpu.get(i).add(result.turns() / result.daemonCpu());
        }
      }
    }
    var report = new BenchmarkReport("cluster", "turns/s", rates.getFirst(), rates);
    for (int i = 0; i < SETUPS.size(); i++) {
      report.noting(line(SETUPS.get(i), perCpu.get(i), last[i]));
    }
    return report
        .noting(ratio("turns/s with equal quotas, two daemons to one (bar: 1.6x)", rates, 4, 3))
        .noting(ratio("turns per daemon CPU second, two daemons to one (bar: 0.9x)", perCpu, 1, 0))
        .noting(ratio("the same with quotas", perCpu, 4, 3))
        .noting("statements of 1 daemon:\n" + last[0].slowest())
        .noting("lock waits of 2 daemons: " + last[1].waits());
  }

  private static String ratio(String text, List<BenchmarkFigure> figures, int one, int base) {
    return String.format(
        Locale.ROOT, "%s: %.2fx", text, figures.get(one).ratioTo(figures.get(base)));
  }

  private static String line(Setup setup, BenchmarkFigure perCpu, Result last) {
    return String.format(
        Locale.ROOT,
        "%-26s %5.0f turns per daemon CPU second; last round: the daemons used %.2f cores,"
            + " PostgreSQL used %.2f; per turn: %.1f round trips, %.1f ms of lock waits",
        setup.name(),
        perCpu.median(),
        last.daemonCpu() / last.seconds(),
        last.serverCpu() / last.seconds(),
        last.roundTrips() / last.turns(),
        1000 * last.lockWait() / last.turns());
  }

  private Result measure(ClusterDatabase server, Setup setup) throws Exception {
    String url = server.fresh();
    var folders = new ArrayList<Path>();
    var daemons = new ArrayList<ServerProcess>();
    var quotas = new ArrayList<CpuQuota>();
    try {
      for (int i = 0; i < setup.daemons(); i++) {
        Path folder = Files.createTempDirectory("substrat-bench-daemon-");
        folders.add(folder);
        daemons.add(daemon(folder, url));
      }
      try (var observer = new ClusterDatabase.Observer(url);
          var team =
              new ClusterTeam(daemons.stream().map(daemon -> daemon.at("/")).toList(), folders)) {
        team.create();
        keepBusy(observer, team, time.dividedBy(2), new HashMap<>());
        Double quota = setup.quota();
        if (quota != null) {
          daemons.forEach(daemon -> quotas.add(new CpuQuota(daemon.pid(), quota)));
          keepBusy(observer, team, time.dividedBy(6), new HashMap<>());
        }
        return observe(server, observer, team, daemons);
      }
    } finally {
      quotas.forEach(CpuQuota::close);
      daemons.forEach(ServerProcess::close);
    }
  }

  private Result observe(
      ClusterDatabase server,
      ClusterDatabase.Observer observer,
      ClusterTeam team,
      List<ServerProcess> daemons)
      throws Exception {
    observer.reset();
    var waits = new HashMap<String, Integer>();
    long turns = observer.turns();
    Duration cpu = cpu(daemons);
    Duration serverCpu = server.cpu();
    long start = System.nanoTime();
    keepBusy(observer, team, time, waits);
    double seconds = (System.nanoTime() - start) / 1e9;
    double daemonCpu = seconds(cpu(daemons).minus(cpu));
    double ofServer = seconds(server.cpu().minus(serverCpu));
    double done = observer.turns() - turns;
    int sampled = waits.values().stream().mapToInt(Integer::intValue).sum();
    return new Result(
        done,
        seconds,
        daemonCpu,
        ofServer,
        observer.roundTrips(),
        sampled * seconds(SAMPLE_EVERY),
        waits,
        observer.slowest(25, done));
  }

  private static Duration cpu(List<ServerProcess> daemons) {
    return daemons.stream()
        .map(daemon -> ProcessCpu.of(daemon.pid()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /// Asks questions so that inboxes never run empty, and samples lock waits.
  private static void keepBusy(
      ClusterDatabase.Observer observer,
      ClusterTeam team,
      Duration time,
      Map<String, Integer> waits)
      throws Exception {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      long next = System.nanoTime() + SAMPLE_EVERY.toNanos();
      observer
          .lockWaits()
          .forEach((statement, count) -> waits.merge(statement, count, Integer::sum));
      team.ask(WAITING - observer.waiting());
      Thread.sleep(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
    }
  }

  private static ServerProcess daemon(Path folder, String url) throws IOException {
    Files.writeString(folder.resolve("config.yaml"), "slots: 8\nsemanticSearch: false\n");
    return ServerProcess.start(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // The optimizing compiler would take minutes to finish within a quota.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.substrat.server.DaemonMain",
            "--data",
            folder.toString(),
            "--port",
            "0",
            "--db",
            url));
  }
}
