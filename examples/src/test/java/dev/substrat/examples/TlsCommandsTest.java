package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.config.TlsFiles;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.TestCertificateAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The command line with a daemon whose certificate this machine does not trust.
@Timeout(300)
final class TlsCommandsTest {
  @TempDir private Path directory;
  private Path data;
  private CommandLineFixture desk;

  @BeforeEach
  void start() {
    data = directory.resolve("data");
    var issued = new TestCertificateAuthority(directory).issue("server", "EC");
    desk = CommandLineFixture.withTls(data, new TlsFiles(issued.certificate(), issued.key()));
  }

  @AfterEach
  void stop() {
    desk.close();
  }

  @Test
  void commands_work_and_wait_for_events() {
    var status = desk.run("status", "--json");
    assertThat(status.err()).isEmpty();
    assertThat(Json.own(status.out()).path("url").asText()).startsWith("https://127.0.0.1:");

    assertThat(desk.run("agent", "create", "lead").code()).isZero();
    var sent = desk.run("send", "lead", "hello", "--wait");
    assertThat(sent.out()).isEqualTo("I have no playbook yet, but I got your message: hello\n");
    assertThat(desk.run("send", "nobody", "hello").err()).contains("AGENT_NOT_FOUND");
  }

  /// 200 kB do not fit into the buffers of a socket.
  @Test
  void a_large_configuration_passes_both_ways() throws Exception {
    String prompt = "word ".repeat(40_000).strip();
    Path file =
        Files.writeString(directory.resolve("ada.yaml"), "name: ada\nsystemPrompt: " + prompt);
    assertThat(desk.run("agent", "create", "--config", file.toString()).code()).isZero();
    assertThat(desk.agent("ada").path("systemPrompt").asText()).isEqualTo(prompt);
  }

  @Test
  void without_a_daemon_the_hint_says_how_to_start_one() throws Exception {
    byte[] announced = Files.readAllBytes(data.resolve("daemon.json"));
    desk.close();
    Files.write(data.resolve("daemon.json"), announced);

    var ran = desk.run("status");
    assertThat(ran.code()).isEqualTo(4);
    assertThat(ran.err()).contains("DAEMON_UNREACHABLE", "./substrat up");
  }
}
