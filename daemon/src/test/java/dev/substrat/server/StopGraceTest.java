package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A daemon that waits for its turns when it stops. Not in [GracefulStopTest], which counts the
/// turns in the database of its class.
@OnEveryDatabase
final class StopGraceTest {
  private static final Object LONG =
      List.of(Map.of("do", List.of(Map.of("sleep", "8s"), Map.of("say", "ok"))));

  private final TestDatabase place;

  @TempDir private Path data;

  StopGraceTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  void a_turn_may_end_within_the_grace_time() throws Exception {
    Files.writeString(data.resolve("config.yaml"), "stopGrace: 45s\nleaseSeconds: 3\n");
    try (var daemon = start();
        var client = daemon.client()) {
      String agent = client.createAgent("ada", LONG);
      client.post("/api/agents/" + agent + "/messages", Map.of("text", "take your time"));
      new EventHistory()
          .readUntil(
              client,
              RunningDaemon.LIMIT,
              events ->
                  events.stream()
                      .anyMatch(event -> event.path("kind").asText().equals("turn_started")));
      daemon.terminate();

      assertThat(daemon.exitCode()).isEqualTo(128 + 15);
      assertThat(daemon.stderr()).contains("daemon stopped");
    }
    assertThat(doneRuns()).as("longer than the default and than its lease").isEqualTo(1);
  }

  private RunningDaemon start() throws Exception {
    return place.url().isEmpty()
        ? RunningDaemon.ready(data, "--port", "0")
        : RunningDaemon.ready(data, "--port", "0", "--db", place.url().get());
  }

  private long doneRuns() {
    var clock = InstantSource.system();
    try (var database =
        place.url().isEmpty()
            ? Database.embedded(data.resolve("substrat.db"), clock)
            : Database.shared(place.url().get(), clock)) {
      return database.read(tx ->
          tx.number("select count(*) as n from run where status = 'done' and response = 'ok'"));
    }
  }
}
