package dev.substrat.bench;

import dev.substrat.store.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Durable messages per second, from sending to the end of the turn that consumed them, in teams of
/// different size of which 16 agents are busy. Idle agents must not cost time.
final class TeamBench {
  private static final int BUSY = 16;
  private static final int MANY = 10_000;

  private final Duration time;
  private final int rounds;

  TeamBench(Duration time, int rounds) {
    this.time = time;
    this.rounds = rounds;
  }

  Report run() throws Exception {
    var one = new Figure("1 agent, 1 busy");
    var hundred = new Figure("100 agents, 16 busy");
    var many = new Figure("10,000 agents, 16 busy");
    Path folder = Files.createTempDirectory(Path.of("target"), "bench-");
    long before = usedHeap();
    try (var few = new BusyTeam(open(folder, "few"), 1);
        var some = new BusyTeam(open(folder, "some"), 100)) {
      long middle = usedHeap();
      try (var lots = new BusyTeam(open(folder, "lots"), MANY)) {
        long perIdle = Math.max(0, usedHeap() - middle) / MANY;
        for (int round = 0; round <= rounds; round++) {
          System.err.printf("team: round %d of %d%n", round, rounds);
          record(one, round, Rate.of(1, time, few::writeAndAwait));
          record(hundred, round, Rate.of(BUSY, time, some::writeAndAwait));
          record(many, round, Rate.of(BUSY, time, lots::writeAndAwait));
        }
        long latency = median(200, () -> some.untilTurnStarts(0));
        long commit = median(200, () -> commit(some));
        return new Report("team", "messages/s", hundred, List.of(one, hundred, many))
            .noting(
                String.format(
                    Locale.ROOT,
                    "cost per message with 10,000 agents to 100: %.2fx (bar: at most 1.2x)",
                    hundred.ratioTo(many)))
            .noting(
                String.format(
                    Locale.ROOT,
                    "from sending to the start of the turn, p50: %.1fx a durable commit (bar: 10x)",
                    latency / (double) commit))
            .noting(
                "heap per idle agent: %d bytes; before any: %d kB"
                    .formatted(perIdle, before / 1024));
      }
    }
  }

  private static Database open(Path folder, String name) {
    return Database.embedded(folder.resolve(name + ".db"), InstantSource.system());
  }

  private static void record(Figure figure, int round, double rate) {
    // The first round warms up and is not counted.
    if (round > 0) {
      figure.add(rate);
    }
  }

  private static long commit(BusyTeam team) {
    long start = System.nanoTime();
    team.commitOnce();
    return System.nanoTime() - start;
  }

  /// One measurement.
  private interface Timed {
    long nanos() throws Exception;
  }

  private static long median(int times, Timed timed) throws Exception {
    var all = new long[times];
    for (int i = 0; i < times; i++) {
      all[i] = timed.nanos();
    }
    Arrays.sort(all);
    return all[times / 2];
  }

  /// Heap use after a garbage collection.
  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
