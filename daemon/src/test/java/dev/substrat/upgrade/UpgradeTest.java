package dev.substrat.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.testkit.SettableClock;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// Databases of earlier versions, opened by this one: every row is kept, and an engine finishes
/// open work.
@ParameterizedClass(name = "{0}")
@MethodSource("dev.substrat.upgrade.Fixture#all")
final class UpgradeTest {
  /// Columns that a migration after the fixture changes on purpose, as `table.column`.
  private static final Set<String> CHANGED = Set.of();

  /// Tables of search indexes that a migration after the fixture has replaced.
  private static final Set<String> REPLACED = Set.of("passage_row", "passage_words");

  /// Tables that the fixtures have no rows for.
  private static final Set<String> EMPTY =
      Set.of(
          "budget_hold",
          "event_staging",
          "mind",
          "passage_waiting",
          "permission",
          "remote_command",
          "summary",
          "worktree");

  /// Open questions in the fixture, and a part of each answer.
  private static final Map<String, String> EXPECTED =
      Map.of(
          "waits at the gate", "gustav finished waits at the gate",
          "waits behind the round", "inga finished waits behind the round",
          "claimed and shown", "ivar finished claimed and shown",
          "claimed", "ivar finished claimed",
          "not claimed", "ivar finished not claimed",
          "delegate unseen", "the answer was: eva answers delegate unseen",
          "spend two", "used",
          "measure two", "result: [Tool Result: ",
          "confirm two", "{\"confirmed\":true}");

  private final Fixture.Copy copy;

  UpgradeTest(Fixture fixture) throws IOException, SQLException {
    this.copy = fixture.copy();
  }

  @AfterEach
  void close() throws IOException {
    copy.close();
  }

  @Test
  void every_row_is_kept() throws SQLException {
    Map<String, Rows> before = tables();
    copy.migrate(new SettableClock(FixtureScenario.START)).close();
    Map<String, Rows> after = tables();

    assertThat(
            before.entrySet().stream()
                .filter(table -> table.getValue().values().isEmpty())
                .map(Map.Entry::getKey))
        .as("tables without rows")
        .isSubsetOf(EMPTY);
    before.keySet().removeAll(REPLACED);
    before.forEach((table, old) -> {
      Rows now = after.getOrDefault(table, new Rows(List.of(), List.of()));
      var kept = new TreeSet<>(old.columns());
      kept.retainAll(now.columns());
      kept.removeIf(column -> CHANGED.contains(table + "." + column));
      assertThat(kept).as(table + " still exists").isNotEmpty();
      if (table.equals("schema_version")) {
        assertThat(now.in(kept)).containsAll(old.in(kept));
      } else {
        assertThat(now.in(kept)).as(table).containsExactlyInAnyOrderElementsOf(old.in(kept));
      }
    });
  }

  @Test
  void open_work_is_finished_and_every_question_gets_an_answer_or_a_notice() throws Exception {
    Instant snapshot =
        Instant.ofEpochMilli(Long.parseLong(text("select max(at) from event").getFirst()));
    try (var engine = new UpgradedDaemon(copy, snapshot.plus(Duration.ofMinutes(1)))) {
      engine.post("/api/agents/gustav/gate", "{ gated: false }");
      engine.post("/api/agents/spender/budget", "{ tokens: 100000 }");
      answerOpenCalls(engine);
      var eva = engine.external("eva");
      engine.reply(eva, "delegate unseen");
      engine.awaitQuiet();
      Map<String, String> answers = answers();
      EXPECTED.forEach((question, answer) ->
          assertThat(answers).hasEntrySatisfying(question, it -> assertThat(it).contains(answer)));

      // Attempts that wait, deadlines of questions, then reminders and plans.
      engine.pass(Duration.ofSeconds(10), 4);
      engine.pass(Duration.ofMinutes(31), 1);
      engine.pass(Duration.ofHours(3), 1);
      engine.checkInbox(eva);
      engine.checkInbox(engine.external("olaf"));
      engine.awaitQuiet();

      assertThat(text("select text from message where text like 'reminder of remind later'"))
          .hasSize(1);
      assertThat(text("select text from message where text in ('plan later', 'plan daily')"))
          .contains("plan later", "plan daily");
      assertThat(text("select text from space_message where space_id = 'rounds' order by seq"))
          .containsSubsequence("round one", "inga read round one", "gustav read round one");
      assertThat(text("select text from space_message where space_id = 'dm-ana-gustav'"))
          .containsExactlyInAnyOrder("are you there?", "gustav read are you there?");
      assertNothingIsStuck();
    }
  }

  private static void answerOpenCalls(UpgradedDaemon engine) {
    var open = new ArrayList<String>();
    for (JsonNode call : engine.get("/api/pending").path("pending")) {
      open.add(call.path("tool").asText());
      engine.post(
          "/api/pending/" + call.path("callId").asText() + "/answer",
          call.path("tool").asText().equals("confirm")
              ? "{ result: { confirmed: true } }"
              : "{ result: { metres: 5 } }");
    }
    assertThat(open).containsExactlyInAnyOrder("measure", "confirm");
  }

  private void assertNothingIsStuck() throws SQLException {
    assertThat(text("select id from run where status = 'running'")).as("running turns").isEmpty();
    assertThat(text("select name from agent where lease_owner is not null")).as("leases").isEmpty();
    assertThat(text("select space_id from space_round")).as("rounds").isEmpty();
    assertThat(
            text(
                """
                select payload from inbox_event join agent on agent.id = inbox_event.agent_id
                where inbox_event.held = 0 and agent.provider <> 'external'
                """))
        .as("inbox events")
        .isEmpty();
    assertThat(
            text(
                """
                select status || ' ' || text from message
                where recipient <> 'operator' and held_reason is null
                  and status not in ('read', 'replied', 'expired', 'dead')
                """))
        .as("messages that are neither read nor given up")
        .isEmpty();
    assertThat(
            text(
                """
                select question.text from message question
                where question.sync = 1 and question.held_reason is null and not exists (
                  select 1 from message answer
                  where answer.in_reply_to = question.id and answer.recipient = question.sender
                    and answer.kind in ('reply', 'notice'))
                """))
        .as("questions without an answer or a notice")
        .isEmpty();
  }

  /// The text of each question of the operator, and its answer.
  private Map<String, String> answers() throws SQLException {
    var answers = new TreeMap<String, String>();
    try (var connection = copy.connect();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                select question.text, answer.text from message question
                join message answer on answer.in_reply_to = question.id and answer.kind = 'reply'
                where question.sender = 'operator'
                """)) {
      while (rows.next()) {
        answers.put(rows.getString(1), rows.getString(2));
      }
    }
    return answers;
  }

  private List<String> text(String query) throws SQLException {
    try (var connection = copy.connect()) {
      return SqlDump.texts(connection, query);
    }
  }

  /// The rows of a table, as texts.
  private record Rows(List<String> columns, List<List<String>> values) {
    List<List<String>> in(Set<String> chosen) {
      return values.stream()
          .map(row -> chosen.stream().map(column -> row.get(columns.indexOf(column))).toList())
          .toList();
    }
  }

  private Map<String, Rows> tables() throws SQLException {
    var tables = new TreeMap<String, Rows>();
    try (var connection = copy.connect()) {
      String names =
          copy.url().isPresent()
              ? "select tablename from pg_tables where schemaname = 'public'"
              // The full-text index has tables of its own, which it may reorganise.
              : "select name from sqlite_master where type = 'table' and name not like 'passage\\_words%' escape '\\' and name not like 'passage\\_grams%' escape '\\' and name not like 'sqlite\\_%' escape '\\'";
      for (String table : SqlDump.texts(connection, names)) {
        tables.put(table, rows(connection, table));
      }
    }
    return tables;
  }

  private static Rows rows(Connection connection, String table) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select * from " + table)) {
      var columns = new ArrayList<String>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        columns.add(rows.getMetaData().getColumnName(i));
      }
      var values = new ArrayList<List<String>>();
      while (rows.next()) {
        var row = new ArrayList<String>();
        for (int i = 1; i <= columns.size(); i++) {
          row.add(
              rows.getObject(i) instanceof byte[] bytes
                  ? HexFormat.of().formatHex(bytes)
                  : String.valueOf(rows.getString(i)));
        }
        values.add(row);
      }
      return new Rows(columns, values);
    }
  }
}
