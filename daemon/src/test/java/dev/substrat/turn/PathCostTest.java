package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.CountingDatabase;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TableSizes;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Costs of a message and of a turn with texts of 130 characters: SQL statements in write
/// transactions, and bytes on disk. Each limit is a little above the measured value.
@OnEveryDatabase
final class PathCostTest {
  private static final int MANY = 300;
  private static final String TEXT = "The quarterly report is done. ".repeat(5).substring(0, 130);
  private static final String FREE = "{messagesPerMinute: 100000, callsPerMinute: 100000}";

  private final TestDatabase place;
  private final CountingDatabase database;
  private final TestTeam team;
  private final Agent ada;

  PathCostTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.team = new TestTeam(place, 4, CountingDatabase::new);
    this.database = (CountingDatabase) team.database;
    this.ada = team.agent("{name: ada, provider: {name: external}, limits: %s}".formatted(FREE));
    team.agent("{name: ben, parent: ada, provider: {name: external}}");
    team.agent(
        "{name: eva, provider: {name: scripted, playbook: [{do: [{say: \"%s\"}]}]}}"
            .formatted(TEXT));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_message_that_waits_for_its_recipient() throws SQLException {
    assertCost(() -> send(false), new Cost(11, 1_650), new Cost(11, 2_400));
  }

  @Test
  void a_question_that_waits_for_its_recipient() throws SQLException {
    assertCost(() -> send(true), new Cost(12, 2_500), new Cost(12, 3_150));
  }

  @Test
  void a_turn_about_a_message() throws SQLException {
    assertCost(this::takeTurn, new Cost(54, 2_250), new Cost(54, 3_300));
  }

  @Test
  void a_turn_that_answers_a_question() throws SQLException {
    assertCost(this::answer, new Cost(67, 3_550), new Cost(67, 4_900));
  }

  /// Per message or turn.
  private record Cost(double statements, long bytes) {}

  private void assertCost(Runnable act, Cost sqlite, Cost postgres) throws SQLException {
    // The first rows of a table, and what is stored once per agent.
    for (int i = 0; i < 20; i++) {
      act.run();
    }
    Map<String, Long> before = sizes();
    database.takeWrites();
    for (int i = 0; i < MANY; i++) {
      act.run();
    }
    List<List<String>> writes = database.takeWrites().stream().filter(this::isOfPath).toList();
    var grown = new TreeMap<String, Long>();
    sizes()
        .forEach((table, size) -> grown.put(table, (size - before.getOrDefault(table, 0L)) / MANY));
    grown.values().removeIf(size -> size == 0);

    Cost limit = place.dialect() == Dialect.SQLITE ? sqlite : postgres;
    assertThat(writes.stream().mapToInt(List::size).sum() / (double) MANY)
        .as("statements, for example %s", writes.subList(0, Math.min(5, writes.size())))
        .isLessThanOrEqualTo(limit.statements());
    assertThat(grown.values().stream().mapToLong(Long::longValue).sum())
        .as("bytes: %s", grown)
        .isLessThanOrEqualTo(limit.bytes());
  }

  /// Events are numbered and leases renewed independently of a single message.
  private boolean isOfPath(List<String> statements) {
    return statements.stream()
        .noneMatch(sql -> sql.contains("event_counter") || sql.contains("set lease_until"));
  }

  private Map<String, Long> sizes() throws SQLException {
    if (place.dialect() == Dialect.POSTGRES) {
      team.await(
          () -> database.read(tx -> tx.number("select count(*) as n from event_staging")) == 0);
    }
    return TableSizes.of(place);
  }

  private void send(boolean sync) {
    var caller = team.engine.externalRuns().caller(ada);
    var arguments = Json.object().put("recipient", "ben").put("text", TEXT).put("sync", sync);
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    var answer = team.engine.pipeline().call(call, "send_message", arguments);
    assertThat(answer.reply().json().path("status").asText()).isEqualTo("sent");
  }

  private void takeTurn() {
    var note = new Messages.PersonMessage(TEXT, false, null);
    MessageId message = team.messages.fromOperator("eva", note, null).id();
    team.await(() ->
        team.messages.require(message).history().stream()
            .anyMatch(step -> step.status().toString().equals("read")));
  }

  private void answer() {
    assertThat(team.answer(team.ask("eva", TEXT))).isEqualTo(TEXT);
  }
}
