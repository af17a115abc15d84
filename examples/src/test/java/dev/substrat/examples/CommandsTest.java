package dev.substrat.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.cli.CliMain;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.json.Json;
import dev.substrat.server.Daemon;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command line against a real daemon, with complete command lines.
final class CommandsTest {
  @TempDir private Path data;
  private Daemon daemon;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void start() {
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 2, "warn", Set.of());
    daemon = Daemon.start(settings, Map.of());
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @Test
  void an_agent_is_created_asked_and_shown() {
    assertThat(run("agent", "create", "lead", "--instructions", "You lead.")).isZero();

    assertThat(run("send", "lead", "hello", "--wait")).isZero();
    assertThat(text()).isEqualTo("I have no playbook yet, but I got your message: hello\n");

    assertThat(run("agent", "show", "lead", "--json")).isZero();
    assertThat(Json.own(text()).path("systemPrompt").asText()).isEqualTo("You lead.");

    assertThat(run("inbox", "--json")).isZero();
    assertThat(Json.own(text()).path("messages")).hasSize(1);
  }

  @Test
  void a_configuration_file_creates_an_agent() throws Exception {
    Path file = Files.writeString(data.resolve("greeter.yaml"), Files.readString(greeter()));
    assertThat(run("agent", "create", "--config", file.toString())).isZero();

    assertThat(run("send", "greeter", "Good morning", "--wait")).isZero();
    assertThat(text()).isEqualTo("A very good day to you, operator!\n");
  }

  @Test
  void a_run_is_replayed_and_forked() throws Exception {
    Path file = Files.writeString(data.resolve("lead.yaml"), script("lead", "aye"));
    Path bolder = Files.writeString(data.resolve("bolder.yaml"), script("lead", "never"));
    run("agent", "create", "--config", file.toString());
    run("send", "lead", "ready?", "--wait");
    assertThat(run("run", "list", "--json")).isZero();
    String id = Json.own(text()).at("/runs/0/id").asText();

    assertThat(run("run", "show", id)).isZero();
    assertThat(text()).contains("ready?").contains("check_inbox");
    assertThat(run("run", "replay", id)).isZero();
    assertThat(text()).contains("same result: 2 steps, 1 call");
    assertThat(run("run", "replay", id, "--provider-file", bolder.toString())).isEqualTo(1);
    assertThat(text()).contains("diverged in step 2", "ends with \"aye\"", "ends with \"never\"");

    assertThat(run("run", "fork", id, "--from-step", "2", "--provider-file", bolder.toString()))
        .isZero();
    assertThat(text()).contains("lead-fork");
    assertThat(run("agent", "show", "lead-fork")).isZero();
    assertThat(text()).contains("step 2 of run " + id);
    assertThat(run("run", "fork", id, "--from-step", "7")).isEqualTo(2);
    assertThat(errors()).contains("INVALID_ARGUMENTS").contains("1 to 2");
    assertThat(run("run", "replay", "00000000-none")).isEqualTo(2);
    assertThat(errors()).contains("RUN_NOT_FOUND");
  }

  private static String script(String name, String words) {
    return """
    name: %s
    provider:
      name: scripted
      playbook:
        - do: [ { call: check_inbox }, { say: %s } ]
    """
        .formatted(name, words);
  }

  @Test
  void a_misspelt_key_is_rejected_by_name() throws Exception {
    Path file = Files.writeString(data.resolve("bad.yaml"), "name: ada\nsystemPromt: oops\n");

    assertThat(run("agent", "create", "--config", file.toString())).isEqualTo(2);
    assertThat(errors()).contains("INVALID_ARGUMENTS").contains("systemPromt").contains("hint:");
  }

  @Test
  void an_unknown_agent_is_an_error_with_a_hint() {
    assertThat(run("send", "nobody", "hello")).isEqualTo(2);
    assertThat(errors()).contains("AGENT_NOT_FOUND").contains("hint:");
  }

  @Test
  void a_revoked_token_stops_working() {
    run("agent", "create", "ada");
    assertThat(run("token", "create", "--agent", "ada", "--json")).isZero();
    String token = Json.own(text()).path("token").asText();
    assertThat(token).startsWith("substrat_");

    assertThat(run("token", "list")).isZero();
    assertThat(text()).doesNotContain(token.substring(token.lastIndexOf('_') + 1));
    assertThat(run("token", "revoke", token.split("_")[1])).isZero();
  }

  @Test
  void without_a_daemon_the_hint_says_how_to_start_one() {
    daemon.close();

    assertThat(run("status")).isEqualTo(4);
    assertThat(errors()).contains("DAEMON_UNREACHABLE").contains("./substrat up");
  }

  private static Path greeter() {
    return Path.of("greeter.yaml");
  }

  private int run(String... words) {
    out.reset();
    err.reset();
    var screen = Terminal.of(stream(out), stream(err));
    return CliMain.run(
        screen,
        Stream.concat(Stream.of(words), Stream.of("--data", data.toString()))
            .toArray(String[]::new));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
