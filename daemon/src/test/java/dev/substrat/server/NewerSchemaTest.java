package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A newer daemon migrates the database while this one runs.
@OnEveryDatabase
@Timeout(300)
final class NewerSchemaTest {
  private final TestDatabase place;

  NewerSchemaTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  void a_daemon_whose_database_was_migrated_by_a_newer_one_is_not_ready() {
    try (var daemon = TestDaemon.on(place);
        var stranger = daemon.as("")) {
      Database database = daemon.engine().dependencies().database();
      assertThat(stranger.get("/readyz").status()).isEqualTo(200);
      database.transact(
          tx -> tx.update("insert into schema_version values (999, '999_future', 'x', 0)"));
      try {
        ReadinessTest.awaitNotReady(stranger, "SCHEMA_TOO_NEW");
      } finally {
        database.transact(tx -> tx.update("delete from schema_version where version = 999"));
      }
      Await.until(() -> stranger.get("/readyz").status() == 200);
    }
  }
}
