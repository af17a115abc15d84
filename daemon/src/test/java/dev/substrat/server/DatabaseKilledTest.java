package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.PrivatePostgres;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The database server is killed while the daemon runs. For killed daemons see [KillMatrixTest].
final class DatabaseKilledTest {
  private final MessageLoad messages = new MessageLoad();

  @TempDir private Path data;

  @Test
  @Requirement("N1")
  void the_daemon_recovers_when_its_database_server_was_killed() throws Exception {
    try (var server = PrivatePostgres.start();
        var daemon = RunningDaemon.ready(data, "--port", "0", "--db", server.url());
        var client = daemon.client()) {
      messages.check(client);
      messages.writeUntil(client, 40, server::kill);
      assertThat(client.get("/healthz").status()).isEqualTo(200);
      server.restart();
      messages.writeWhatIsUnanswered(client);
      messages.check(client);
      messages.checkAllWasRead(client);
    }
  }
}
