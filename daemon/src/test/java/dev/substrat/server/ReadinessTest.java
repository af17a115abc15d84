package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.health.ReadinessCheck;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.SmallDisk;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.PrivatePostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `/readyz` says whether the daemon can work; `/healthz` only that its process lives.
@Timeout(300)
final class ReadinessTest {
  private static final int PAGE = 4096;
  private static final Object QUIET = List.of(Map.of("do", List.of(Map.of("say", "ok"))));
  private static final Object HANG = List.of(Map.of("do", List.of(Map.of("hang", true))));

  @TempDir private Path data;

  @Test
  void it_is_not_ready_while_postgres_is_down_and_metrics_are_still_served() throws Exception {
    try (var server = PrivatePostgres.start();
        var daemon = RunningDaemon.ready(data, "--port", "0", "--db", server.url());
        var operator = operator(daemon);
        var stranger = new TestClient(daemon.url(), "")) {
      assertThat(stranger.get("/readyz").status()).isEqualTo(200);
      assertThat(stranger.get("/readyz").text("status")).isEqualTo("ready");
      Await.until(() -> metrics(operator).contains("substrat_inbox_waiting 0.0"));
      assertThat(metrics(operator))
          .contains("substrat_ready 1.0")
          .contains("substrat_database_pool_connections{pool=\"writers\",state=\"idle\"}")
          .contains("substrat_database_pool_waiting{pool=\"readers\"} 0.0");

      server.kill();
      var refused = awaitNotReady(stranger, "DATABASE_UNREACHABLE");
      String port = String.valueOf(URI.create(server.url().substring("jdbc:".length())).getPort());
      assertThat(refused.toString())
          .doesNotContain("127.0.0.1", "localhost", port)
          .doesNotContain(data.toString(), "postgres");
      assertThat(stranger.get("/healthz").status()).isEqualTo(200);
      assertThat(metrics(operator))
          .contains("substrat_ready 0.0")
          .contains("substrat_inbox_waiting 0.0");
      assertThat(operator.get("/api/status").status())
          .as("only metrics are served without the database")
          .isEqualTo(503);

      server.restart();
      Await.until(() -> stranger.get("/readyz").status() == 200);
    }
  }

  @Test
  void a_scraper_that_was_never_admitted_is_not_admitted_by_an_outage() throws Exception {
    try (var server = PrivatePostgres.start();
        var daemon = RunningDaemon.ready(data, "--port", "0", "--db", server.url());
        var operator = operator(daemon);
        var stranger = new TestClient(daemon.url(), "")) {
      server.kill();
      awaitNotReady(stranger, "DATABASE_UNREACHABLE");
      assertThat(operator.get("/metrics").status()).isEqualTo(503);
    }
  }

  @Test
  void an_exhausted_connection_pool_is_reported() throws Exception {
    var released = new CountDownLatch(1);
    try (var place = TestDatabase.fresh(Dialect.POSTGRES);
        var readiness = ReadinessCheck.watch(place.open(), data)) {
      Database database = place.open();
      try (var exhausted = ReadinessCheck.watch(database, data)) {
        assertThat(exhausted.reasons()).isEmpty();
        for (int i = 0; i < 12; i++) {
          Thread.ofVirtual()
              .start(() ->
                  database.transact(tx -> {
                    Await.until(() -> released.getCount() == 0);
                    return true;
                  }));
        }
        Await.until(() -> !exhausted.isReady());
        assertThat(exhausted.reasons())
            .extracting(reason -> reason.code() + ": " + reason.message())
            .as("long before the pool gives up")
            .containsExactly("DATABASE_UNREACHABLE: the database did not answer within 2 seconds");
        assertThat(readiness.isReady()).as("another daemon on the same server").isTrue();
        released.countDown();
        Await.until(exhausted::isReady);
      } finally {
        released.countDown();
      }
    }
  }

  @Test
  void a_full_disk_is_reported_until_there_is_room_again() throws Exception {
    try (var disk = SmallDisk.inMemory(80);
        var daemon = RunningDaemon.ready(disk.directory(), "--port", "0");
        var stranger = new TestClient(daemon.url(), "")) {
      assertThat(stranger.get("/readyz").status()).isEqualTo(200);
      disk.fill();
      awaitNotReady(stranger, "DISK_FULL");
      disk.freeSpace();
      Await.until(() -> stranger.get("/readyz").status() == 200);
    }
  }

  @Test
  void a_killed_daemon_checks_its_database_once() throws Exception {
    Path marker = data.resolve("substrat.db-unchecked");
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client()) {
      client.createAgent("ada", QUIET);
      daemon.kill();
    }
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var stranger = new TestClient(daemon.url(), "")) {
      Await.until(() -> stranger.get("/readyz").status() == 200);
      daemon.awaitStderr("database checked after an unclean shutdown");
      assertThat(marker).doesNotExist();
      stopGracefully(daemon);
    }
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var stranger = new TestClient(daemon.url(), "")) {
      assertThat(stranger.get("/readyz").status()).isEqualTo(200);
      assertThat(daemon.stderr()).doesNotContain("unclean shutdown");
    }
  }

  @Test
  void a_damaged_database_is_never_ready() throws Exception {
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client()) {
      String mail = "/api/agents/" + client.createAgent("ada", QUIET) + "/messages";
      for (int i = 0; i < 100; i++) {
        client.post(mail, Map.of("text", "x".repeat(4_000), "sync", false));
      }
      stopGracefully(daemon);
    }
    long size = Files.size(data.resolve("substrat.db"));
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client()) {
      client.createAgent("ben", QUIET);
      daemon.kill();
    }
    overwrite(size - 40L * PAGE, 20 * PAGE);

    for (int start = 1; start <= 2; start++) {
      try (var daemon = RunningDaemon.ready(data, "--port", "0");
          var stranger = new TestClient(daemon.url(), "")) {
        awaitNotReady(stranger, "DATABASE_CORRUPT");
        assertThat(stranger.get("/healthz").status()).isEqualTo(200);
        stopGracefully(daemon);
      }
    }
  }

  private void overwrite(long from, int length) throws IOException {
    byte[] garbage = new byte[length];
    new Random(7).nextBytes(garbage);
    try (var channel = FileChannel.open(data.resolve("substrat.db"), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(garbage), from);
    }
  }

  @Test
  void a_stopping_daemon_is_not_ready_and_a_second_signal_ends_it() throws Exception {
    Files.writeString(data.resolve("config.yaml"), "stopGrace: 60m\n");
    var history = new EventHistory();
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client();
        var stranger = new TestClient(daemon.url(), "")) {
      String agent = client.createAgent("ada", HANG);
      client.post("/api/agents/" + agent + "/messages", Map.of("text", "take your time"));
      history.readUntil(client, RunningDaemon.LIMIT, events -> has(events, "turn_started"));
      daemon.terminate();
      awaitNotReady(stranger, "STOPPING");
      assertThat(daemon.isAlive()).isTrue();

      daemon.terminate();
      assertThat(daemon.exitCode()).isEqualTo(128 + 15);
      assertThat(daemon.stderr()).contains("second stop signal").doesNotContain("daemon stopped");
    }
  }

  private static boolean has(List<JsonNode> events, String kind) {
    return events.stream().anyMatch(event -> event.path("kind").asText().equals(kind));
  }

  private static void stopGracefully(RunningDaemon daemon) throws InterruptedException {
    daemon.terminate();
    assertThat(daemon.exitCode()).isEqualTo(128 + 15);
  }

  private TestClient operator(RunningDaemon daemon) throws Exception {
    return new TestClient(daemon.url(), Files.readString(data.resolve("operator.token")).strip());
  }

  private static String metrics(TestClient client) {
    return client.get("/metrics").body().asText();
  }

  static JsonNode awaitNotReady(TestClient client, String code) {
    Await.until(
        () ->
            client.get("/readyz").body().path("reasons").path(0).path("code").asText().equals(code),
        () -> "last answer: " + client.get("/readyz"));
    var refused = client.get("/readyz");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text("status")).isEqualTo("not ready");
    assertThat(refused.body().path("reasons").path(0).path("message").asText()).isNotBlank();
    return refused.body();
  }
}
