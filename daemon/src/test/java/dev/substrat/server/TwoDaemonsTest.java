package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A team on two daemons that share one PostgreSQL: one of them is killed, the other finishes the
/// work.
final class TwoDaemonsTest {
  private static final int AGENTS = 100;

  /// Short, so that the survivor need not wait long.
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final String SETTINGS =
      "leaseSeconds: %d\nslots: 8\n".formatted(LEASE.toSeconds());

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path one;
  @TempDir private Path other;

  @Test
  @Requirement({"N1", "S0-8", "S0-12"})
  void a_daemon_finishes_the_work_of_a_killed_one() throws Exception {
    try (var place = TestDatabase.fresh(Dialect.POSTGRES);
        var victim = start(place, one);
        var survivor = start(place, other);
        var client = survivor.client();
        var database = place.open()) {
      createRing(client);
      List<String> questions = ask(victim, client);

      String dead = Files.readString(one.resolve("daemon.id")).strip();
      await(survivor, () -> running(database, dead) > 1 && answered(database, questions) > 10);
      victim.kill();
      Instant killed = Instant.now();
      long left = running(database, dead);
      await(survivor, () -> answered(database, questions) == AGENTS);
      await(survivor, () -> number(database, "select count(*) as n from inbox_event") == 0);
      await(
          survivor,
          () -> number(database, "select count(*) as n from run where status = 'running'") == 0);

      assertThat(left).as("turns the dead one had under way").isPositive();
      List<DatabaseAuditor.Finding> broken =
          database.read(tx -> DatabaseAuditor.broken(tx, DeliveryInvariants.ALWAYS));
      assertThat(broken).isEmpty();
      assertThat(abandoned(database)).isGreaterThanOrEqualTo(left);
      assertThat(lastTakenOver(database)).isBefore(killed.plus(LEASE.multipliedBy(2)));
    }
  }

  /// When a person asks, each agent asks the next one and sleeps briefly before it answers.
  private static void createRing(DaemonClient client) throws Exception {
    create(client, Map.of("name", "mira", "provider", scripted(List.of())));
    for (int i = 0; i < AGENTS; i++) {
      var next =
          Map.of(
              "recipient", "a" + (i + 1) % AGENTS, "text", "are you there, {{event.message_id}}?");
      create(
          client,
          Map.of(
              "name",
              "a" + i,
              "parent",
              "mira",
              "provider",
              scripted(
                  List.of(
                      rule("from", "operator", Map.of("call", "send_message", "with", next)),
                      rule("kind", "reply", Map.of("say", "heard {{event.text}}")),
                      rule("kind", "message", Map.of("sleep", "100ms"), Map.of("say", "aye"))))));
    }
  }

  private static Object scripted(List<?> playbook) {
    return Map.of("name", "scripted", "playbook", playbook);
  }

  private static Object rule(String key, String value, Object... steps) {
    return Map.of("when", Map.of(key, value), "do", List.of(steps));
  }

  private static void create(DaemonClient client, Object config) throws Exception {
    assertThat(client.post("/api/agents", config).status()).isEqualTo(201);
  }

  /// Half of the questions through each daemon.
  private static List<String> ask(RunningDaemon victim, DaemonClient client) throws Exception {
    var questions = new ArrayList<String>();
    try (var first = victim.client()) {
      for (int i = 0; i < AGENTS; i++) {
        var answer =
            (i % 2 == 0 ? first : client)
                .post("/api/agents/a" + i + "/messages", Map.of("text", "ask " + i, "sync", true));
        assertThat(answer.status()).isEqualTo(201);
        questions.add(answer.body().path("message_id").asText());
      }
    }
    return questions;
  }

  private static long answered(Database database, List<String> questions) {
    return database
        .read(tx ->
            tx.list(
                "select id from message where sender = 'operator' and status = 'replied'",
                row -> row.text("id")))
        .stream()
        .filter(questions::contains)
        .count();
  }

  /// Turns under way. A daemon may also have the lease of an agent whose turn has not begun.
  private static long running(Database database, String daemon) {
    return database.read(tx ->
        tx.number(
            """
            select count(*) as n from run join agent on agent.id = run.agent_id
            where run.status = 'running' and agent.lease_owner = ?
            """,
            daemon));
  }

  private static long abandoned(Database database) {
    return number(
        database,
        "select count(*) as n from run where stop_reason = 'the daemon stopped during the turn'");
  }

  /// Time at which the last interrupted turn of the dead daemon was started again.
  private static Instant lastTakenOver(Database database) {
    return Instant.ofEpochMilli(
        number(
            database,
            """
            select max(again.started_at) as n
            from run abandoned join run again on again.retry_of = abandoned.id
            where abandoned.stop_reason = 'the daemon stopped during the turn'
            """));
  }

  private static long number(Database database, String query) {
    return database.read(tx -> tx.number(query));
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(RunningDaemon alive, Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(() -> "in time; log:\n" + alive.stderr()).isLessThan(end);
      assertThat(alive.isDeadWithin(Duration.ofMillis(20))).isFalse();
    }
  }

  private static RunningDaemon start(TestDatabase place, Path data) throws Exception {
    Files.writeString(data.resolve("config.yaml"), SETTINGS);
    return RunningDaemon.ready(data, "--port", "0", "--db", place.url().orElseThrow());
  }
}
