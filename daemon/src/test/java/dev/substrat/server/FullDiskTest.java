package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.SmallDisk;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A daemon whose disk becomes full while an agent works.
final class FullDiskTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Object SLOW =
      List.of(
          Map.of("do", List.of(Map.of("sleep", "500ms"), Map.of("say", "read: {{event.text}}"))));

  private final EventHistory history = new EventHistory();

  @Test
  void a_full_disk_is_reported_and_work_continues_after_space_is_freed() throws Exception {
    try (var disk = SmallDisk.inMemory(6)) {
      try (var daemon = RunningDaemon.ready(disk.directory(), "--port", "0");
          var client = daemon.client()) {
        String mail = "/api/agents/" + client.createAgent("ada", SLOW) + "/messages";
        var sent = client.post(mail, Map.of("text", "before", "sync", false));
        assertThat(sent.status()).isEqualTo(201);
        history.readUntil(client, LIMIT, events -> count(events, "turn_started") == 1);
        disk.fill();
        var refused = untilRefused(client, mail);
        assertThat(refused.status()).isEqualTo(507);
        assertThat(refused.body().path("code").asText()).isEqualTo("DISK_FULL");
        daemon.awaitStderr("cannot settle a turn");
        daemon.awaitStderr("cannot query ready agents");
        disk.freeSpace();

        history.readUntil(client, LIMIT, FullDiskTest::hasEndedWell);
        String state = "/api/messages/" + sent.body().path("message_id").asText();
        assertThat(client.get(state).body().path("status").asText()).isEqualTo("read");
        // Neither a stack for each try nor a thousand tries a second.
        assertThat(daemon.stderr().lines()).hasSizeLessThan(100);
      }
    }
  }

  private static DaemonClient.Answer untilRefused(DaemonClient client, String mail)
      throws Exception {
    for (int i = 0; i < 1_000; i++) {
      var answer = client.post(mail, Map.of("text", "x".repeat(10_000)));
      if (answer.status() != 201) {
        return answer;
      }
    }
    throw new AssertionError("the disk never got full");
  }

  /// The turn that could not be settled has ended too, but not well.
  private static boolean hasEndedWell(List<JsonNode> events) {
    return events.stream()
        .anyMatch(event ->
            event.path("kind").asText().equals("turn_ended")
                && event.path("status").asText().equals("done"));
  }

  private static long count(List<JsonNode> events, String kind) {
    return events.stream().filter(event -> event.path("kind").asText().equals(kind)).count();
  }
}
