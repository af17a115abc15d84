package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailureReporterTest {
  @TempDir Path data;

  @Test
  void no_daemon_is_two_lines_and_exit_code_four() {
    var ran = CliOutput.of("status", "--data", data.toString());

    assertThat(ran.code()).isEqualTo(4);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo(
            """
            error DAEMON_UNREACHABLE: no daemon is running for %s
            hint: start the daemon: ./substrat up --data %s
            """
                .formatted(data, data));
  }

  @Test
  void stop_without_a_daemon_reports_that_none_runs() throws IOException {
    String nothing =
        "hint: there is no daemon to stop; to stop another daemon, pass its data directory: --data DIR\n";
    assertThat(CliOutput.of("stop", "--data", data.toString()))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(4);
          assertThat(ran.err()).contains("no daemon is running for " + data).endsWith(nothing);
        });

    Files.writeString(
        data.resolve("daemon.json"), "{\"url\":\"http://127.0.0.1:1\",\"pid\":999999999}");
    Files.writeString(data.resolve("operator.token"), "x");
    assertThat(CliOutput.of("stop", "--data", data.toString()).err())
        .contains("the daemon has exited")
        .endsWith(nothing);
  }

  @Test
  void a_stale_daemon_file_is_called_stale() throws IOException {
    Files.writeString(
        data.resolve("daemon.json"), "{\"url\":\"http://127.0.0.1:1\",\"pid\":999999999}");
    Files.writeString(data.resolve("operator.token"), "x");

    var ran = CliOutput.of("--data", data.toString(), "agent", "show", "mira");

    assertThat(ran.code()).isEqualTo(4);
    assertThat(ran.err())
        .contains(data.resolve("daemon.json") + " is stale")
        .contains("hint: start the daemon: ./substrat up");
  }

  @Test
  void a_hint_never_suggests_killing_an_unknown_process() throws IOException {
    long alive = ProcessHandle.current().pid();
    Files.writeString(
        data.resolve("daemon.json"),
        "{\"url\":\"http://127.0.0.1:1\",\"pid\":%d}".formatted(alive));
    Files.writeString(data.resolve("operator.token"), "x");

    assertThat(CliOutput.of("status", "--data", data.toString()).err())
        .contains(data.resolve("daemon.json") + " is stale, or the daemon hangs")
        .doesNotContain(String.valueOf(alive), "kill", "stop");
  }

  @Test
  void a_damaged_daemon_file_is_reported_without_parser_messages() throws IOException {
    Files.writeString(data.resolve("daemon.json"), "{{{");

    assertThat(CliOutput.of("status", "--data", data.toString()).err())
        .startsWith(
            "error DAEMON_UNREACHABLE: %s is not valid JSON\n"
                .formatted(data.resolve("daemon.json")))
        .hasLineCount(2);
  }

  @Test
  void the_hint_can_be_copied_whatever_the_directory_is_called() throws IOException {
    Path odd = Files.createDirectory(data.resolve("sam's team"));

    assertThat(CliOutput.of("status", "--data", odd.toString()).err())
        .endsWith("./substrat up --data '%s/sam'\\''s team'\n".formatted(data));
  }

  @Test
  void a_problem_of_the_daemon_keeps_its_code_hint_and_details() throws IOException {
    try (var daemon = new FakeDaemon(data)) {
      daemon.answers(
          "POST /api/agents",
          422,
          """
          {"error":true,"code":"INVALID_CONFIG","message":"two keys are wrong","hint":"compare",
           "details":[{"pointer":"/provider","message":"is unknown"}]}
          """);
      var ran = CliOutput.of("agent", "create", "mira", "--data", data.toString());

      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.err())
          .isEqualTo(
              """
              error INVALID_CONFIG: two keys are wrong
                /provider  is unknown
              hint: compare
              """);
    }
  }

  @Test
  void a_limit_has_its_own_exit_code() throws IOException {
    try (var daemon = new FakeDaemon(data)) {
      daemon.answers(
          "GET /api/status",
          429,
          "{\"code\":\"RATE_LIMITED\",\"message\":\"slow\",\"hint\":\"wait\"}");
      assertThat(CliOutput.of("status", "--data", data.toString()).code()).isEqualTo(3);
    }
  }

  @Test
  void an_unknown_code_is_internal_but_shows_its_name() throws IOException {
    try (var daemon = new FakeDaemon(data)) {
      daemon.answers(
          "GET /api/status",
          418,
          "{\"code\":\"TIDE_TOO_LOW\",\"message\":\"wait\",\"hint\":\"h\"}");
      var ran = CliOutput.of("status", "--data", data.toString());

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).startsWith("error INTERNAL: TIDE_TOO_LOW: wait\n");
    }
  }

  @Test
  void another_program_on_the_port_is_not_mistaken_for_a_daemon() throws IOException {
    try (var daemon = new FakeDaemon(data)) {
      daemon.answers("GET /api/status", 200, "<html>hello</html>");
      assertThat(CliOutput.of("status", "--data", data.toString()).err())
          .contains("DAEMON_UNREACHABLE")
          .contains("is not a Substrat daemon");
    }
  }

  @Test
  void escape_sequences_in_a_problem_do_not_reach_the_terminal() throws IOException {
    try (var daemon = new FakeDaemon(data)) {
      daemon.answers(
          "GET /api/status",
          409,
          "{\"code\":\"CONFLICT\",\"message\":\"\\u001b[2Jgone\\u009b31m\",\"hint\":\"\\u0007\"}");
      for (String[] args :
          new String[][] {
            {"status", "--data", data.toString()}, {"status", "--json", "--data", data.toString()}
          }) {
        assertThat(CliOutput.of(args).err()).doesNotContain("\u001b", "\u009b", "\u0007");
      }
    }
  }

  @Test
  void json_failures_are_one_object_on_stderr() {
    var ran = CliOutput.of("status", "--json", "--data", data.toString());

    assertThat(ran.code()).isEqualTo(4);
    assertThat(ran.err())
        .startsWith("{\"error\":true,\"code\":\"DAEMON_UNREACHABLE\"")
        .hasLineCount(1);
  }

  @Test
  void misuse_is_one_line_with_a_suggestion() {
    assertThat(CliOutput.of("agnet", "list"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).hasLineCount(2).contains("agnet").contains("did you mean");
        });
    assertThat(CliOutput.of("send", "mira", "hello", "--timout"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).hasLineCount(2).contains("--timout").contains("--timeout");
        });
    assertThat(CliOutput.of("frobnicate").err())
        .startsWith("error INVALID_ARGUMENTS: unknown command 'frobnicate'\n")
        .doesNotContain("did you mean");
    assertThat(CliOutput.of("send", "mira", "-v").err()).contains("send AGENT -- TEXT");
    assertThat(CliOutput.of("agent").code()).isEqualTo(2);
    assertThat(CliOutput.of("token", "create").code()).isEqualTo(2);
  }

  @Test
  void commands_of_other_programs_name_the_script() {
    var ran = CliOutput.of("up", "--port", "0");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("./substrat up");
  }
}
