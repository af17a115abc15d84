package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventSignal;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Killed daemons with the bundled embedding model.
@OnEveryDatabase
@Timeout(300)
final class MemoryKillTest {
  private final TestDatabase place;

  @TempDir private Path data;

  MemoryKillTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  @Requirement({"N9", "S4-16"})
  void stored_passages_are_found_semantically_after_the_daemon_was_killed() throws Exception {
    try (var daemon = start();
        var client = daemon.client()) {
      client.createAgent("mira", List.of());
      for (int i = 0; i < 40; i++) {
        store(client, "Entry %d: the tide gauge was read as always.".formatted(i));
      }
      store(client, "The lift in the north wing is out of order.");
      // The model is not even loaded by now.
      daemon.kill();
    }
    try (var daemon = start();
        var client = daemon.client()) {
      assertThat(found(client, "OUT%20of%20order")).hasSize(1);

      assertThat(awaitLift(client, "elevator%20broken").getFirst()).contains("lift");
    }
  }

  private RunningDaemon start() throws Exception {
    var options = new ArrayList<>(List.of("--port", "0"));
    place.url().ifPresent(url -> options.addAll(List.of("--db", url)));
    return RunningDaemon.ready(data, options.toArray(String[]::new));
  }

  private static void store(DaemonClient client, String text) throws Exception {
    var answer = client.post("/api/agents/mira/passages", Map.of("content", text));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
  }

  private static List<String> found(DaemonClient client, String question) throws Exception {
    return client
        .get("/api/agents/mira/passages?q=" + question)
        .body()
        .path("passages")
        .valueStream()
        .map(passage -> passage.path("content").asText())
        .toList();
  }

  /// Computed vectors send no signal, so this polls.
  private static List<String> awaitLift(DaemonClient client, String question) throws Exception {
    var never = new EventSignal();
    List<String> found = found(client, question);
    while (found.stream().noneMatch(text -> text.contains("lift"))) {
      never.awaitMoreThan(0, Duration.ofMillis(100));
      found = found(client, question);
    }
    return found;
  }
}
