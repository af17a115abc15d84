package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two daemons on one PostgreSQL divide the agents between them.
final class SharedAgentsTest {
  private static final int AGENTS = 24;
  private static final int QUESTIONS = 240;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// Part of all turns. On a slow machine more claims are lost; without affinity, about as many are
  /// lost as turns are run.
  private static final double MOST_LOST = 0.3;

  @TempDir private Path one;
  @TempDir private Path other;

  @Test
  void daemons_rarely_race_for_the_same_agent() throws Exception {
    try (var place = TestDatabase.fresh(Dialect.POSTGRES);
        var first = start(place, one, 8);
        var second = start(place, other, 8);
        var client = first.client();
        var otherClient = second.client();
        var database = place.open()) {
      createRing(client);

      for (int i = 0; i < QUESTIONS; i++) {
        ask(i % 2 == 0 ? client : otherClient, "a" + i % AGENTS, "ask " + i);
      }
      await(() -> answered(database) == QUESTIONS, first, second);

      double turns = client.metric("substrat_turns_total");
      double others = otherClient.metric("substrat_turns_total");
      double lost =
          client.metric("substrat_claims_lost_total")
              + otherClient.metric("substrat_claims_lost_total");
      assertThat(turns).isPositive();
      assertThat(others).isPositive();
      assertThat(lost)
          .as("lost claims of %s and %s turns", turns, others)
          .isLessThan(MOST_LOST * (turns + others));
    }
  }

  @Test
  @Requirement("N1")
  void an_agent_of_a_busy_or_stopped_or_dead_daemon_is_run_by_the_other_one() throws Exception {
    try (var place = TestDatabase.fresh(Dialect.POSTGRES);
        var first = start(place, one, 1);
        var second = start(place, other, 1);
        var database = place.open()) {
      try (var client = first.client()) {
        create(client, "slow", List.of(Map.of("do", List.of(Map.of("sleep", "10m")))));
        create(client, "quick", List.of(Map.of("do", List.of(Map.of("say", "aye")))));
        ask(client, "slow", "wait");
      }
      await(() -> holder(database).isPresent(), first, second);
      boolean isFirst = holder(database).orElseThrow().equals(id(one));
      var victim = isFirst ? first : second;
      var survivor = isFirst ? second : first;
      String id = id(isFirst ? one : other);

      try (var client = survivor.client()) {
        // Busy: its only slot is in use.
        prefer(database, "quick", id);
        ask(client, "quick", "one");
        await(() -> answered(database) == 1, survivor);
        assertThat(holder(database)).as("still busy").contains(id);

        signal("STOP", victim);
        prefer(database, "quick", id);
        ask(client, "quick", "two");
        await(() -> answered(database) == 2, survivor);

        signal("CONT", victim);
        victim.kill();
        prefer(database, "quick", id);
        ask(client, "quick", "three");
        await(() -> answered(database) == 3, survivor);
      }
    }
  }

  /// Asked by a person, each agent asks the next one, and answers when it has the reply.
  private static void createRing(DaemonClient client) throws Exception {
    create(client, "lead", List.of());
    for (int i = 0; i < AGENTS; i++) {
      var next = Map.of("recipient", "a" + (i + 1) % AGENTS, "text", "are you there?");
      create(
          client,
          "a" + i,
          Map.of("parent", "lead"),
          List.of(
              rule("from", "operator", Map.of("call", "send_message", "with", next)),
              rule("kind", "reply", Map.of("say", "heard")),
              rule("kind", "message", Map.of("say", "aye"))));
    }
  }

  private static Object rule(String key, String value, Object step) {
    return Map.of("when", Map.of(key, value), "do", List.of(step));
  }

  private static void create(DaemonClient client, String name, List<?> playbook) throws Exception {
    create(client, name, Map.of(), playbook);
  }

  private static void create(
      DaemonClient client, String name, Map<String, String> more, List<?> playbook)
      throws Exception {
    var agent = new HashMap<String, Object>(more);
    agent.put("name", name);
    agent.put("provider", Map.of("name", "scripted", "playbook", playbook));
    var answer = client.post("/api/agents", agent);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
  }

  private static void ask(DaemonClient client, String agent, String text) throws Exception {
    var answer =
        client.post("/api/agents/" + agent + "/messages", Map.of("text", text, "sync", true));
    assertThat(answer.status()).isEqualTo(201);
  }

  private static long answered(Database database) {
    return database.read(tx ->
        tx.number(
            """
            select count(*) as n from message where sender = 'operator' and status = 'replied'
            """));
  }

  /// The daemon that runs `slow`.
  private static Optional<String> holder(Database database) {
    return database.read(tx ->
        tx.find(
            "select lease_owner from agent where handle = 'slow' and lease_owner is not null",
            row -> row.text("lease_owner")));
  }

  /// As if the agent's last turn had run on that daemon.
  private static void prefer(Database database, String agent, String daemon) {
    database.transact(
        tx -> tx.update("update agent set ran_on = ? where handle = ?", daemon, agent));
  }

  private static void signal(String name, RunningDaemon daemon) throws Exception {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(daemon.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private static String id(Path data) throws Exception {
    return Files.readString(data.resolve("daemon.id")).strip();
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition, RunningDaemon... daemons) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime())
          .as(() -> "in time; log:\n" + daemons[0].stderr())
          .isLessThan(end);
      assertThat(daemons[0].isDeadWithin(Duration.ofMillis(20))).isFalse();
    }
  }

  private static RunningDaemon start(TestDatabase place, Path data, int slots) throws Exception {
    Files.writeString(data.resolve("config.yaml"), "slots: " + slots + "\n");
    return RunningDaemon.ready(data, "--port", "0", "--db", place.url().orElseThrow());
  }
}
