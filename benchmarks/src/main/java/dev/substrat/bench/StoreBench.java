package dev.substrat.bench;

import dev.substrat.store.Database;
import dev.substrat.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Durable commits per second, compared with plain append and fsync on the same disk.
final class StoreBench {
  private static final int WRITERS = 64;
  private static final String PUT =
      """
      insert into message (id, sender, recipient, text, sync, depth, status, stored_at)
      values (?, 'ada', 'ben', 'the pump is repaired and the tank is full', 0, 0, 'stored', ?)
      """;

  private final AtomicLong ids = new AtomicLong();
  private final Duration time;
  private final int rounds;

  StoreBench(Duration time, int rounds) {
    this.time = time;
    this.rounds = rounds;
  }

  BenchmarkReport run() throws IOException {
    var raw = new BenchmarkFigure("raw append + fsync, 1 writer");
    var alone = new BenchmarkFigure("SQLite FULL, 1 writer");
    var group = new BenchmarkFigure("SQLite FULL, 64 writers (group commit)");
    var sharedAlone = new BenchmarkFigure("PostgreSQL (fsync on), 1 writer");
    var sharedMany = new BenchmarkFigure("PostgreSQL (fsync on), 64 writers");
    Path folder = Files.createTempDirectory(Path.of("target"), "bench-");
    try (var disk = new DiskBaseline(folder);
        var sqlite = Database.embedded(folder.resolve("bench.db"), InstantSource.system());
        var postgres = Database.shared(TestPostgres.freshDatabase(), InstantSource.system())) {
      // The first round warms up and is not counted.
      for (int round = 0; round <= rounds; round++) {
        System.err.printf("store: round %d of %d%n", round, rounds);
        record(raw, round, ThroughputMeasurement.of(1, time, _ -> disk.append()));
        record(alone, round, ThroughputMeasurement.of(1, time, _ -> commit(sqlite)));
        record(group, round, ThroughputMeasurement.of(WRITERS, time, _ -> commit(sqlite)));
        record(sharedAlone, round, ThroughputMeasurement.of(1, time, _ -> commit(postgres)));
        record(sharedMany, round, ThroughputMeasurement.of(WRITERS, time, _ -> commit(postgres)));
      }
    }
    return new BenchmarkReport(
        "store", "commits/s", raw, List.of(raw, alone, group, sharedAlone, sharedMany));
  }

  private static void record(BenchmarkFigure figure, int round, double rate) {
    if (round > 0) {
      figure.add(rate);
    }
  }

  private void commit(Database database) {
    String id = "m" + ids.incrementAndGet();
    database.transact(tx -> tx.update(PUT, id, 0));
  }
}
