package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.TestPostgres;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
final class MigrationsTest {
  private final TestDatabase place;
  private Database database;
  private List<String> versions = List.of();

  MigrationsTest(TestDatabase place) {
    this.place = place;
    this.database = place.open();
  }

  @BeforeEach
  void remember() {
    versions = versions();
  }

  @AfterEach
  void restore() {
    database.transact(tx -> tx.update("delete from schema_version where version = 999"));
    database.transact(
        tx -> tx.update("update schema_version set checksum = replace(checksum, 'changed-', '')"));
    database.close();
  }

  @Test
  void a_fresh_database_gets_the_whole_schema() {
    assertThat(versions).first().asString().startsWith("1 001_foundation ");
    assertThat(tables())
        .contains("agent", "credential", "event", "inbox_event", "message", "pending_reply", "run");
  }

  @Test
  void opening_again_changes_nothing() {
    TestRows.put(database, "kept", "x");
    List<String> tables = tables();
    database.close();
    database = place.open();

    assertThat(versions()).isEqualTo(versions);
    assertThat(tables()).isEqualTo(tables);
    assertThat(TestRows.ids(database)).containsExactly("kept");
    database.transact(tx -> tx.update("delete from credential"));
  }

  @Test
  void a_newer_schema_is_rejected_and_not_changed() {
    database.transact(
        tx -> tx.update("insert into schema_version values (999, '999_future', 'x', 0)"));
    List<String> before = versions();
    List<String> tables = tables();

    assertThatOpening(ErrorCode.SCHEMA_TOO_NEW, "999");
    assertThat(versions()).isEqualTo(before);
    assertThat(tables()).isEqualTo(tables);
  }

  @Test
  void a_database_with_a_changed_migration_is_rejected_and_not_changed() {
    database.transact(
        tx -> tx.update("update schema_version set checksum = 'changed-' || checksum"));
    List<String> before = versions();

    assertThatOpening(ErrorCode.SCHEMA_CHANGED, "001_foundation");
    assertThat(versions()).isEqualTo(before);
  }

  @Test
  void several_daemons_may_open_an_empty_database_at_once() throws Exception {
    assumeThat(place.dialect()).as("SQLite has one daemon").isEqualTo(Dialect.POSTGRES);
    String url = TestPostgres.freshDatabase();
    int daemons = 4;
    var together = new CyclicBarrier(daemons);
    var opened = new ArrayList<Future<Database>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < daemons; i++) {
        opened.add(
            threads.submit(() -> {
              together.await();
              return Database.shared(url, InstantSource.system());
            }));
      }
      for (var one : opened) {
        try (var ready = one.get()) {
          assertThat(versions(ready)).hasSameSizeAs(versions);
        }
      }
    }
  }

  private void assertThatOpening(ErrorCode code, String named) {
    long start = System.nanoTime();
    assertThatThrownBy(place::open)
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> {
              assertThat(fault.code()).isEqualTo(code);
              assertThat(fault.message()).contains(named);
              assertThat(fault.hint()).isNotBlank();
            });
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
  }

  private List<String> versions() {
    return versions(database);
  }

  private static List<String> versions(Database database) {
    return database.read(tx ->
        tx.list(
            "select version, name, checksum, applied_at from schema_version order by version",
            row ->
                row.number("version")
                    + " "
                    + row.text("name")
                    + " "
                    + row.text("checksum")
                    + " "
                    + row.number("applied_at")));
  }

  private List<String> tables() {
    String query =
        switch (database.dialect()) {
          case SQLITE -> "select name from sqlite_master where type = 'table' order by name";
          case POSTGRES ->
              "select tablename as name from pg_tables where schemaname = 'public' order by 1";
        };
    return database.read(tx -> tx.list(query, row -> row.text("name")));
  }
}
