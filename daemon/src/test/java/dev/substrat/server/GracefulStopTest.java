package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A daemon that is stopped during turns.
@OnEveryDatabase
final class GracefulStopTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Object HANG = List.of(Map.of("do", List.of(Map.of("hang", true))));

  private final TestDatabase place;
  private final EventHistory history = new EventHistory();

  @TempDir private Path data;

  GracefulStopTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  void events_of_interrupted_turns_return_to_the_inbox_without_a_counted_attempt()
      throws Exception {
    String agent;
    String message;
    try (var daemon = start();
        var client = daemon.client()) {
      agent = client.createAgent("ada", HANG);
      var sent =
          client.post("/api/agents/" + agent + "/messages", Map.of("text", "take your time"));
      message = sent.body().path("message_id").asText();
      history.readUntil(client, LIMIT, events -> turns(events) == 1);
      daemon.terminate();

      assertThat(daemon.exitCode()).isEqualTo(128 + 15);
      assertThat(daemon.stderr()).contains("daemon stopped").doesNotContain("ERROR");
    }
    assertThat(attempts(message)).isZero();

    try (var daemon = start();
        var client = daemon.client()) {
      history.readUntil(client, LIMIT, events -> turns(events) == 2);
      history.requireContiguous();
      assertThat(client.get("/api/agents/" + agent).body().path("pendingCount").asInt())
          .isEqualTo(1);
    }
  }

  private RunningDaemon start() throws Exception {
    return place.url().isEmpty()
        ? RunningDaemon.ready(data, "--port", "0")
        : RunningDaemon.ready(data, "--port", "0", "--db", place.url().get());
  }

  private static long turns(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("kind").asText().equals("turn_started"))
        .count();
  }

  /// The daemon is down, so this is all that it left.
  private long attempts(String message) {
    var clock = InstantSource.system();
    try (var database =
        place.url().isEmpty()
            ? Database.embedded(data.resolve("substrat.db"), clock)
            : Database.shared(place.url().get(), clock)) {
      return database.read(
          tx -> tx.number("select attempts as n from inbox_event where id = ?", message));
    }
  }
}
