package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An acknowledged fork is executed even if its daemon is killed.
@OnEveryDatabase
final class ForkKillTest {
  private final TestDatabase place;

  @TempDir private Path data;

  ForkKillTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  @Requirement("N10")
  void a_fork_survives_the_kill_of_its_daemon() throws Exception {
    String fork;
    try (var daemon = start();
        var client = daemon.client()) {
      client.createAgent("mira", List.of(Map.of("do", List.of(call("one"), call("two")))));
      client.post("/api/agents/mira/messages", Map.of("text", "go"));
      String run = ended(client, "mira").path("id").asText();
      var answer = client.post("/api/runs/" + run + "/fork", Map.of("fromStep", 2));
      assertThat(answer.status()).isEqualTo(201);
      fork = answer.body().path("handle").asText();
      daemon.kill();
    }
    try (var daemon = start();
        var client = daemon.client()) {
      JsonNode run = ended(client, fork);

      assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("done");
      JsonNode lines =
          client.get("/api/runs/" + run.path("id").asText() + "/messages").body().path("messages");
      assertThat(lines.valueStream().filter(line -> line.path("replayed").asBoolean())).hasSize(2);
      assertThat(reminders(lines)).containsExactly("one", "two");
    }
  }

  private static Map<String, Object> call(String text) {
    return Map.of("call", "remind_me", "with", Map.of("text", text, "in_seconds", 3_600));
  }

  private static List<String> reminders(JsonNode lines) {
    return lines
        .valueStream()
        .filter(line -> line.path("type").asText().equals("tool_call_message"))
        .map(line -> line.at("/toolInput/text").asText())
        .toList();
  }

  /// The agent's newest run that was not left behind by a dead daemon, once it is over.
  private static JsonNode ended(DaemonClient client, String agent) throws Exception {
    long end = System.nanoTime() + RunningDaemon.LIMIT.toNanos();
    while (true) {
      JsonNode newest = client.get("/api/runs?limit=1&agent=" + agent).body().at("/runs/0");
      boolean orphan =
          newest.path("stopReason").asText().equals("the daemon stopped during the turn");
      if (newest.hasNonNull("endedAt") && !orphan) {
        return newest;
      }
      assertThat(System.nanoTime()).as("%s takes its turn", agent).isLessThan(end);
    }
  }

  private RunningDaemon start() throws Exception {
    var more = new ArrayList<>(List.of("--port", "0"));
    place.url().ifPresent(url -> more.addAll(List.of("--db", url)));
    return RunningDaemon.ready(data, more.toArray(String[]::new));
  }
}
