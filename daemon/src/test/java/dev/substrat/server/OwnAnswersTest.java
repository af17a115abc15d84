package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventSignal;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many concurrent questions to a lead that delegates each of them to one child, on a real daemon
/// that is killed in between: each asker gets the answer to its own question.
@OnEveryDatabase
@Timeout(600)
final class OwnAnswersTest {
  private static final int QUESTIONS = Boolean.getBoolean("substrat.full") ? 200 : 60;
  private static final int KILLS = 2;

  private final TestDatabase place;

  @TempDir private Path data;

  OwnAnswersTest(TestDatabase place) {
    this.place = place;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 16})
  @Requirement({"C20", "N1"})
  void each_of_many_concurrent_questions_gets_its_own_answer_across_kills(int slots)
      throws Exception {
    List<String> questions = new ArrayList<>();
    TestDatabase fresh = TestDatabase.fresh(place.dialect());
    for (int life = 0; life <= KILLS; life++) {
      try (var daemon = start(fresh, slots);
          var client = daemon.client()) {
        if (life == 0) {
          createTeam(client);
          for (int i = 0; i < QUESTIONS; i++) {
            questions.add(ask(client, "question " + i));
          }
        }
        int wanted = QUESTIONS * (life + 1) / (KILLS + 1);
        awaitReplies(client, wanted);
        if (life == KILLS) {
          check(client, questions);
        }
        daemon.kill();
      }
    }
    fresh.close();
  }

  private void check(DaemonClient client, List<String> questions) throws Exception {
    for (int i = 0; i < questions.size(); i++) {
      JsonNode message = client.get("/api/messages/" + questions.get(i)).body();
      assertThat(message.at("/reply/text").asText()).isEqualTo("ben says aye question " + i);
    }
    assertThat(client.get("/api/held").body().path("messages")).isEmpty();
    for (JsonNode run : client.get("/api/runs?limit=200").body().path("runs")) {
      // The question has depth 0, the one to the child 1, the child's reply 2.
      assertThat(run.path("depth").asInt()).isBetween(0, 2);
    }
  }

  private RunningDaemon start(TestDatabase database, int slots) throws Exception {
    var options = new ArrayList<>(List.of("--port", "0", "--slots", String.valueOf(slots)));
    database.url().ifPresent(url -> options.addAll(List.of("--db", url)));
    return RunningDaemon.ready(data, options.toArray(String[]::new));
  }

  private static void createTeam(DaemonClient client) throws Exception {
    client.createAgent(
        "lead",
        List.of(
            Map.of(
                "when",
                Map.of("kind", "message"),
                "do",
                List.of(
                    Map.of(
                        "call",
                        "send_message",
                        "with",
                        Map.of("recipient", "ben", "text", "{{event.text}}")))),
            Map.of(
                "when",
                Map.of("kind", "reply"),
                "do",
                List.of(Map.of("say", "ben says {{event.text}}")))));
    var child =
        Map.of(
            "name",
            "ben",
            "parent",
            "lead",
            "provider",
            Map.of(
                "name",
                "scripted",
                "playbook",
                List.of(Map.of("do", List.of(Map.of("say", "aye {{event.text}}"))))));
    assertThat(client.post("/api/agents", child).status()).isEqualTo(201);
  }

  private static String ask(DaemonClient client, String text) throws Exception {
    var answer = client.post("/api/agents/lead/messages", Map.of("text", text, "sync", true));
    assertThat(answer.status()).as(answer.body().toString()).isLessThan(300);
    return answer.body().path("message_id").asText();
  }

  /// The event stream ends with its daemon, so this polls.
  private static void awaitReplies(DaemonClient client, int wanted) throws Exception {
    var never = new EventSignal();
    while (client.get("/api/inbox?limit=200").body().path("messages").size() < wanted) {
      never.awaitMoreThan(0, Duration.ofMillis(50));
    }
  }
}
