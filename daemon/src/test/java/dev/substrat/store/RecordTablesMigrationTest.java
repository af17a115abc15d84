package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.ContentHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The migration that rewrites the two tables of tool calls: rows of older daemons are kept, in the
/// same order, and found by index.
final class RecordTablesMigrationTest {
  private static final Path MIGRATIONS = Path.of("src/main/resources/migrations");
  private static final int OLD = 27;

  @TempDir private Path directory;

  @Test
  void records_and_events_of_an_older_daemon_are_kept() throws IOException {
    Path file = directory.resolve("substrat.db");
    try (var old = SqliteDatabase.open(file)) {
      old.transact(this::layOut);
      old.transact(this::fill);
    }
    try (var database = Database.embedded(file, InstantSource.system())) {
      assertThat(texts(database, "select id || ' ' || content as t from run_message order by id"))
          .containsExactly("m-1 asked", "m-2 answered");
      assertThat(texts(database, "select seq || ' ' || kind as t from event order by seq"))
          .containsExactly("1 first", "2 second", "3 third");
      database.transact(
          tx -> tx.update("insert into event (at, kind, payload) values (4, 'fourth', '{}')"));
      assertThat(texts(database, "select max(seq) || '' as t from event")).containsExactly("4");
    }
  }

  @Test
  void queries_use_an_index() {
    try (var database = Database.embedded(directory.resolve("new.db"), InstantSource.system())) {
      assertThat(
              plan(
                  database, "select * from run_message where run_id = 'x' and id > '' order by id"))
          .contains("run_message_run")
          .doesNotContain("TEMP B-TREE");
      assertThat(plan(database, "select * from event where seq > 0 and run_no = 1 order by seq"))
          .contains("event_run");
      assertThat(
              plan(database, "select * from event where seq > 0 and (agent_no = 1 or peer_no = 1)"))
          .contains("event_agent", "event_peer");
    }
  }

  private static String plan(Database database, String query) {
    return database
        .read(tx -> tx.list("explain query plan " + query, row -> row.text("detail")))
        .toString();
  }

  private static List<String> texts(Database database, String query) {
    return database.read(tx -> tx.list(query, row -> row.text("t")));
  }

  /// The schema of a daemon with only [#OLD] migrations.
  private boolean layOut(Tx tx) {
    tx.update(
        """
        create table schema_version (
          version integer primary key, name text not null, checksum text not null,
          applied_at bigint not null
        )
        """);
    List<String> names = names();
    for (int version = 1; version <= OLD; version++) {
      String name = names.get(version - 1);
      String script = text(name + ".sql") + "\n" + text(name + ".sqlite.sql");
      for (String statement : script.split(";\\s*\\n")) {
        if (!statement.isBlank()) {
          tx.update(statement);
        }
      }
      tx.update(
          "insert into schema_version values (?, ?, ?, 0)", version, name, ContentHash.of(script));
    }
    return true;
  }

  private boolean fill(Tx tx) {
    for (String kind : List.of("first", "second", "third")) {
      tx.update("insert into event (at, kind, payload) values (1, ?, '{}')", kind);
    }
    tx.update(
        """
        insert into agent (id, handle, name, description, role, config, created_at, provider)
        values ('a', 'a', 'a', '', 'worker', '{}', 0, 'scripted')
        """);
    tx.update(
        "insert into run (id, agent_id, turn_no, status, started_at) values ('r', 'a', 1, 'done', 0)");
    // The second first: order is that of ids.
    for (String line : List.of("m-2 answered", "m-1 asked")) {
      tx.update(
          "insert into run_message (id, run_id, type, content, at) values (?, 'r', 'x', ?, 0)",
          line.substring(0, 3),
          line.substring(4));
    }
    return true;
  }

  private static List<String> names() {
    try (var files = Files.list(MIGRATIONS)) {
      return files
          .map(file -> file.getFileName().toString().replaceAll("\\..*", ""))
          .distinct()
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String name) {
    try {
      Path file = MIGRATIONS.resolve(name);
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
