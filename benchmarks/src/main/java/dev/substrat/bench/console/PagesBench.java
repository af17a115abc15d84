package dev.substrat.bench.console;

import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.bench.console.PageClient.Timed;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.store.Database;
import dev.substrat.testkit.LargeHistory;
import dev.substrat.testkit.LargeHistory.Size;
import dev.substrat.testkit.PageTargets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Benchmark of all console pages and lists of the API: a database whose pages are just full, and
/// one with a hundred times the history and twenty times the agents.
public final class PagesBench {
  private static final Size SMALL = new Size(250, 3_000, 200, 1_000, 12_000, 300);
  private static final Size LARGE = new Size(5_000, 300_000, 20_000, 100_000, 1_200_000, 10_000);
  private static final int WARM_UPS = 4;
  private static final double MOST_TIMES_SMALL = 1.5;

  /// Less than the scheduler of a busy machine adds.
  private static final double NOTICEABLE_MICROS = 1_000;

  private final int rounds;

  public PagesBench(int rounds) {
    this.rounds = rounds;
  }

  /// Times in microseconds and the size of one page on both databases.
  private record Measured(
      BenchmarkFigure small, BenchmarkFigure large, int smallBytes, int largeBytes) {}

  public BenchmarkReport run() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-");
    try (var small = start(folder.resolve("small"), SMALL);
        var large = start(folder.resolve("large"), LARGE);
        var smallClient = new PageClient(URI.create(small.url()), folder.resolve("small"));
        var largeClient = new PageClient(URI.create(large.url()), folder.resolve("large"))) {
      return compare(small, smallClient, largeClient);
    } finally {
      delete(folder);
    }
  }

  private static Daemon start(Path data, Size size) throws IOException, SQLException {
    System.err.printf(Locale.ROOT, "pages: writing %,d events%n", size.events());
    Files.createDirectories(data);
    Path file = data.resolve("substrat.db");
    Database.embedded(file, InstantSource.system()).close();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      LargeHistory.fill(connection, size, InstantSource.system().instant());
    }
    return Daemon.start(
        new DaemonSettings("127.0.0.1", 0, data, null, 4, "warn", Set.of()), Map.of());
  }

  private static List<String> targets(Daemon daemon, PageClient client) {
    List<String> routes =
        daemon.routes().stream()
            .filter(route -> route.method().equals("GET"))
            .map(HttpRoute::path)
            .distinct()
            .toList();
    return PageTargets.of(
        routes,
        path -> {
          try {
            return client.time(path).text();
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private BenchmarkReport compare(Daemon daemon, PageClient small, PageClient large)
      throws IOException, InterruptedException {
    List<String> smallTargets = targets(daemon, small);
    List<String> largeTargets = targets(daemon, large);
    var measured = new TreeMap<String, Measured>();
    var refused = new ArrayList<String>();
    for (int i = 0; i < smallTargets.size(); i++) {
      String path = smallTargets.get(i);
      Timed answer = small.time(path);
      if (answer.status() == 200) {
        String name = path.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID");
        measured.put(name, measure(path, small, largeTargets.get(i), large));
      } else {
        refused.add(path + " " + answer.status());
      }
    }
    return report(measured, refused);
  }

  private Measured measure(String smallPath, PageClient small, String largePath, PageClient large)
      throws IOException, InterruptedException {
    var smallTime = new BenchmarkFigure(smallPath);
    var largeTime = new BenchmarkFigure(largePath);
    int smallBytes = 0;
    int largeBytes = 0;
    for (int round = 1 - WARM_UPS; round <= rounds; round++) {
      Timed few = small.time(smallPath);
      Timed many = large.time(largePath);
      if (many.status() != 200) {
        throw new IllegalStateException(largePath + " was answered " + many.status());
      }
      smallBytes = few.bytes();
      largeBytes = many.bytes();
      if (round > 0) {
        smallTime.add(few.nanos() / 1e3);
        largeTime.add(many.nanos() / 1e3);
      }
    }
    return new Measured(smallTime, largeTime, smallBytes, largeBytes);
  }

  private BenchmarkReport report(Map<String, Measured> measured, List<String> refused) {
    var small = new BenchmarkFigure("all pages and lists, %,d events".formatted(SMALL.events()));
    var large = new BenchmarkFigure("all pages and lists, %,d events".formatted(LARGE.events()));
    for (Measured one : measured.values()) {
      small.add(one.small().median());
      large.add(one.large().median());
    }
    var report = new BenchmarkReport("pages", "µs p50 per request", small, List.of(small, large));
    measured.forEach((path, one) -> report.noting(row(path, one)));
    return report
        .noting(
            "pages over %.1fx: %d of %d"
                .formatted(
                    MOST_TIMES_SMALL,
                    measured.values().stream().filter(PagesBench::isMissed).count(),
                    measured.size()))
        .noting("not measured: " + String.join(", ", refused));
  }

  private static double ratio(Measured one) {
    return one.large().median() / one.small().median();
  }

  private static boolean isMissed(Measured one) {
    return ratio(one) > MOST_TIMES_SMALL
        && one.large().median() - one.small().median() > NOTICEABLE_MICROS;
  }

  private static String row(String path, Measured one) {
    return String.format(
        Locale.ROOT,
        "%-44s %8.1f ms %8.1f ms %7.2fx %8.1f KB %8.1f KB%s",
        path,
        one.small().median() / 1e3,
        one.large().median() / 1e3,
        ratio(one),
        one.smallBytes() / 1e3,
        one.largeBytes() / 1e3,
        isMissed(one) ? "  MISSED" : "");
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
