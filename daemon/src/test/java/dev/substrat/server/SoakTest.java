package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Half an hour of work and accidents, at the same time for one daemon on SQLite and for two that
/// share a PostgreSQL: nothing is lost or done twice, and no daemon grows.
final class SoakTest {
  private static final boolean FULL = Boolean.getBoolean("substrat.full");
  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("substrat.soakSeconds", FULL ? 1_800 : 60));

  private final long seed =
      Long.getLong("substrat.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  @TempDir private Path temporary;

  @Test
  @Requirement({"N1", "S0-8", "S0-12", "S0-14"})
  void work_survives_accidents_and_no_daemon_grows() throws Exception {
    Prerequisite.requireMachine(
        Files.exists(Path.of("/proc/self/fd")), "sizes of processes are read from /proc");
    List<Soak> soaks =
        List.of(
            Soak.onSqlite(Files.createDirectory(temporary.resolve("sqlite")), LENGTH, seed),
            Soak.onPostgres(Files.createDirectory(temporary.resolve("postgres")), LENGTH, seed));
    try (var threads = Executors.newFixedThreadPool(soaks.size())) {
      var running = soaks.stream().map(threads::submit).toList();
      for (var one : running) {
        one.get();
      }
    } finally {
      for (Soak soak : soaks) {
        soak.close();
      }
    }

    String report = SoakReport.of(LENGTH, seed, soaks);
    System.out.println(report);
    if (FULL) {
      Files.writeString(Path.of("../docs/internals/soak.md"), report);
    }
    for (Soak soak : soaks) {
      assertThat(soak.findings()).as("%s", soak.name()).isEmpty();
    }
  }
}
