package dev.substrat.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.PrivatePostgres;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever dies, and whenever: what was acknowledged is there, once, and gets done, once.
@OnEveryDatabase
final class KillTest {
  private static final int ROUNDS = Boolean.getBoolean("substrat.full") ? 100 : 10;

  private final TestDatabase place;
  private final Correspondence mail = new Correspondence();

  @TempDir private Path data;

  KillTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  void what_was_acknowledged_survives_every_kill_of_the_daemon() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (var daemon = start(place.url().orElse(null));
          var client = daemon.client()) {
        mail.check(client);
        mail.writeUntil(client, 10 + (round * 23) % 90, daemon::kill);
        assertThat(daemon.isAlive()).isFalse();
      }
    }
    try (var daemon = start(place.url().orElse(null));
        var client = daemon.client()) {
      mail.writeWhatIsUnanswered(client);
      mail.check(client);
      mail.checkAllWasRead(client);
    }
  }

  @Test
  void the_daemon_recovers_when_its_database_server_was_killed() throws Exception {
    assumeThat(place.dialect())
        .as("the embedded database has no server")
        .isEqualTo(Dialect.POSTGRES);
    try (var server = PrivatePostgres.start();
        var daemon = start(server.url());
        var client = daemon.client()) {
      mail.check(client);
      mail.writeUntil(client, 40, server::kill);
      assertThat(client.get("/healthz").status()).isEqualTo(200);
      server.restart();
      mail.writeWhatIsUnanswered(client);
      mail.check(client);
      mail.checkAllWasRead(client);
    }
  }

  private RunningDaemon start(@Nullable String url) throws Exception {
    return url == null
        ? RunningDaemon.ready(data, "--port", "0")
        : RunningDaemon.ready(data, "--port", "0", "--db", url);
  }
}
