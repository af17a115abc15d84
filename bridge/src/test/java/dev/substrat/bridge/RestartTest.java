package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.DaemonMain;
import dev.substrat.testkit.Requirement;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Restarts of the daemon are invisible to a connected client.
@Timeout(300)
final class RestartTest {
  @TempDir private Path data;

  @Test
  @Requirement("S1-4")
  void a_killed_daemon_loses_and_repeats_no_request() throws Exception {
    int calls = 60;
    Process first = daemon();
    var operator = new OperatorClient(data);
    operator.createsExternal("mira");
    operator.createsChild("ada", "mira");
    try (var ada = BridgeProcess.startPatient(data, "--agent", "ada");
        var mira = BridgeProcess.startPatient(data, "--agent", "mira")) {
      ada.pipe().greet();
      mira.pipe().greet();
      for (int i = 0; i < calls; i++) {
        ada.pipe()
            .call(
                i,
                "send_message",
                "{\"recipient\":\"mira\",\"text\":\"letter %d\",\"sync\":false}".formatted(i));
        if (i == calls / 2) {
          ada.pipe().answer(calls / 4);
          first.destroyForcibly().onExit().join();
        }
      }
      Process second = daemon();
      try {
        for (int i = 0; i < calls; i++) {
          if (i != calls / 4) {
            JsonNode answer = ada.pipe().answer(i);
            assertThat(answer.at("/result/isError").asBoolean(true)).as("%s", answer).isFalse();
          }
        }
        var seen = new TreeSet<String>();
        for (int look = 0; seen.size() < calls; look++) {
          mira.pipe().call(look, "check_inbox", "{}");
          JsonNode mail = mira.pipe().answer(look).at("/result/structuredContent/messages");
          for (JsonNode message : mail) {
            assertThat(seen.add(message.path("text").asText())).as("%s", message).isTrue();
          }
        }
      } finally {
        second.destroyForcibly().onExit().join();
      }
    }
  }

  @Test
  void a_client_may_start_before_the_daemon() throws Exception {
    Process before = daemon();
    new OperatorClient(data).createsExternal("mira");
    before.destroyForcibly().onExit().join();
    try (var mira = BridgeProcess.startPatient(data, "--agent", "mira")) {
      JsonNode alone = mira.pipe().greet();
      assertThat(alone.at("/result/capabilities/prompts/listChanged").asBoolean()).isTrue();
      mira.pipe().request(1, "tools/list", "{}");
      mira.pipe().request(2, "ping", "{}");
      assertThat(mira.pipe().answer(2).path("result").isObject()).isTrue();
      Process daemon = daemon();
      try {
        assertThat(mira.pipe().answer(1).at("/result/tools").isEmpty()).isFalse();
        mira.pipe().notification("notifications/tools/list_changed");
        mira.pipe().end();
        assertThat(mira.exitCode()).isZero();
        assertThat(mira.pipe().rest()).isEmpty();
      } finally {
        daemon.destroyForcibly().onExit().join();
      }
    }
  }

  private Process daemon() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DaemonMain.class.getName(),
                    "--port",
                    "0",
                    "--log",
                    "error",
                    "--data",
                    data.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).startsWith("substrat ready");
    return process;
  }
}
