package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Daemon processes: output when ready, errors, exit codes, and the files they leave.
final class DaemonProcessTest {
  @TempDir private Path data;

  @Test
  void a_second_daemon_in_the_same_directory_is_refused_and_the_first_unharmed() throws Exception {
    try (var first = RunningDaemon.ready(data, "--port", "0");
        var client = first.client()) {
      try (var second = RunningDaemon.launch(data, "--port", "0")) {
        requireRefused(second, 2, "ALREADY_RUNNING");
        assertThat(second.stderr()).contains("substrat stop --data " + data);
      }
      assertThat(announcement().path("pid").asLong()).isEqualTo(first.pid());
      assertThat(client.get("/api/status").status()).isEqualTo(200);
      client.createAgent("ada", List.of());
    }
  }

  @Test
  void a_port_in_use_is_reported_and_leaves_no_files() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var daemon = RunningDaemon.launch(data, "--port", String.valueOf(taken.getLocalPort()))) {
      requireRefused(daemon, 4, "ADDRESS_IN_USE");
      assertThat(daemon.stderr()).contains("--port");
      assertThat(data.resolve("daemon.json")).doesNotExist();
      assertThat(data.resolve("daemon.sock")).doesNotExist();
      assertThat(data.resolve("substrat.db")).as("no migration is executed").doesNotExist();
    }
    try (var daemon = RunningDaemon.ready(data, "--port", "0")) {
      assertThat(announcement().path("pid").asLong()).isEqualTo(daemon.pid());
    }
  }

  @Test
  void a_port_in_use_creates_no_directory() throws Exception {
    Path fresh = data.resolve("fresh");
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var daemon = RunningDaemon.launch(fresh, "--port", String.valueOf(taken.getLocalPort()))) {
      requireRefused(daemon, 4, "ADDRESS_IN_USE");
      assertThat(fresh).doesNotExist();
    }
  }

  @Test
  void a_signal_ends_the_daemon_gracefully() throws Exception {
    try (var daemon = RunningDaemon.ready(data, "--port", "0")) {
      assertThat(announcement().path("url").asText()).isEqualTo(daemon.url());
      assertThat(data.resolve("daemon.sock")).exists();
      daemon.terminate();

      assertThat(daemon.exitCode()).isEqualTo(128 + 15);
      requireStopped(daemon);
    }
  }

  @Test
  void a_stop_request_ends_the_daemon_gracefully() throws Exception {
    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client()) {
      assertThat(client.post("/api/shutdown", Map.of()).status()).isEqualTo(202);

      assertThat(daemon.exitCode()).isEqualTo(0);
      requireStopped(daemon);
    }
  }

  private void requireStopped(RunningDaemon daemon) throws Exception {
    assertThat(daemon.stdout()).containsExactly("substrat ready " + daemon.url());
    assertThat(daemon.stderr()).contains("daemon stopped").doesNotContain("ERROR", "Exception");
    assertThat(data.resolve("daemon.json")).doesNotExist();
    assertThat(data.resolve("daemon.sock")).doesNotExist();
    // SQLite removes its log when it is closed in order.
    assertThat(data.resolve("substrat.db-wal")).doesNotExist();
  }

  @Test
  void files_of_a_killed_daemon_do_not_prevent_the_next_start() throws Exception {
    try (var killed = RunningDaemon.ready(data, "--port", "0")) {
      killed.kill();
    }
    assertThat(data.resolve("daemon.json")).exists();
    assertThat(data.resolve("daemon.sock")).exists();
    assertThat(data.resolve("daemon.lock")).exists();

    try (var daemon = RunningDaemon.ready(data, "--port", "0");
        var client = daemon.client()) {
      assertThat(announcement().path("pid").asLong()).isEqualTo(daemon.pid());
      assertThat(client.get("/api/status").status()).isEqualTo(200);
    }
  }

  @Test
  void an_unusable_data_directory_is_reported_at_the_start() throws Exception {
    Path file = Files.createFile(data.resolve("file"));
    try (var unwritable = RunningDaemon.launch(Path.of("/proc/substrat"), "--port", "0");
        var noDirectory = RunningDaemon.launch(file, "--port", "0")) {
      requireRefused(unwritable, 4, "DATABASE_READ_ONLY");
      assertThat(unwritable.stderr()).contains("/proc/substrat", "--data");
      requireRefused(noDirectory, 4, "DATABASE_READ_ONLY");
    }
    try (var nonsense = RunningDaemon.launch(data, "--port", "0", "--db", "nonsense");
        var badPort = RunningDaemon.launch(data.resolve("other"), "--port", "many")) {
      requireRefused(nonsense, 2, "INVALID_CONFIG");
      assertThat(nonsense.stderr()).contains("jdbc:postgresql://");
      assertThat(badPort.exitCode()).isEqualTo(2);
      assertThat(badPort.stdout()).isEmpty();
      assertThat(badPort.stderr()).contains("--port");
    }
  }

  @Test
  void of_many_daemons_started_concurrently_exactly_one_runs() throws Exception {
    var daemons = new ArrayList<RunningDaemon>();
    try {
      for (int i = 0; i < 3; i++) {
        daemons.add(RunningDaemon.launch(data, "--port", "0"));
      }
      int ready = 0;
      for (var daemon : daemons) {
        if (daemon.firstLine().startsWith("substrat ready")) {
          ready++;
          assertThat(announcement().path("pid").asLong()).isEqualTo(daemon.pid());
        } else {
          requireRefused(daemon, 2, "ALREADY_RUNNING");
        }
      }
      assertThat(ready).isEqualTo(1);
    } finally {
      for (var daemon : daemons) {
        daemon.close();
      }
    }
  }

  /// One line with the problem, one with the hint, and nothing on stdout.
  private static void requireRefused(RunningDaemon daemon, int exitCode, String code)
      throws Exception {
    assertThat(daemon.exitCode()).as(daemon.stderr()).isEqualTo(exitCode);
    assertThat(daemon.stdout()).isEmpty();
    assertThat(daemon.stderr().lines())
        .anyMatch(line -> line.startsWith("error " + code + ": "))
        .anyMatch(line -> line.startsWith("hint: "));
    assertThat(daemon.stderr()).doesNotContain("\tat ");
  }

  private JsonNode announcement() throws IOException {
    return DaemonClient.JSON.readTree(Files.readAllBytes(data.resolve("daemon.json")));
  }
}
