package dev.substrat.mcp.client;

import static dev.substrat.mcp.client.TestMcpClients.call;
import static dev.substrat.mcp.client.TestMcpClients.program;
import static dev.substrat.mcp.client.TestMcpClients.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.transport.StdioSandbox;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxAssumption;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// MCP servers that are programs, working and broken, written as shell scripts.
@Timeout(300)
@Requirement("S3-49")
final class ProgramTest {
  private static final String READ =
      """
      say() { printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"; }
      while read -r line; do
        id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
        case $line in
      """;

  private static final String LEGACY =
      """
        *'"method":"server/discover"'*) say '"error":{"code":-32601,"message":"what?"}';;
        *'"method":"initialize"'*) say '"result":{"protocolVersion":"2025-06-18","capabilities":{}}';;
      """;

  private static final String MODERN =
      """
        *'"method":"server/discover"'*)
          say '"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}';;
        *'"method":"subscriptions/listen"'*)
          printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\\n';;
      """;

  private static final String CALL =
      """
        *'"method":"tools/call"'*) %s;;
        esac
      done
      """;

  private static final String RAIN =
      "say '\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"it rains\"}]}'";

  @TempDir private Path directory;
  private TestMcpClients visits;

  @BeforeEach
  void open() {
    visits = new TestMcpClients();
  }

  @AfterEach
  void close() {
    visits.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {LEGACY, MODERN})
  void a_program_of_either_era_is_initialized_and_called(String era) {
    try (var client = visits.to(program(READ + era + CALL.formatted(RAIN)))) {
      assertThat(client.revision()).isEqualTo(era.equals(MODERN) ? "2026-07-28" : "2025-06-18");
      assertThat(text(call(client))).isEqualTo("it rains");
    }
  }

  @Test
  void a_tool_change_notification_is_received() throws InterruptedException {
    try (var _ = visits.to(program(READ + MODERN + CALL.formatted(RAIN)))) {
      visits.awaitChange(() -> {});
    }
  }

  @Test
  @Requirement("S3-51")
  void a_failed_listener_does_not_affect_other_calls() {
    String reports =
        """
        t=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\\([0-9]*\\).*/\\1/p')
        for i in 1 2 3 4 5; do
          printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s}}\\n' "$t" "$i"
        done
        """
            + RAIN;
    var heard = new AtomicInteger();
    RemoteProgress gone =
        (_, _, _) -> {
          heard.incrementAndGet();
          throw new UncheckedIOException(new IOException("the client has gone"));
        };
    var manner = new McpClient.CallOptions(gone, TestMcpClients.PATIENCE, null);
    try (var client = visits.to(program(READ + LEGACY + CALL.formatted(reports)))) {
      for (int i = 0; i < 2; i++) {
        assertThat(text(client.callTool(TestMcpClients.WEATHER, Json.object(), manner)))
            .isEqualTo("it rains");
      }
      assertThat(heard).as("once per call").hasValue(2);
      assertThat(client.isOpen()).isTrue();
    }
  }

  @Test
  void a_program_that_exits_on_the_modern_handshake_is_restarted_with_the_legacy_one() {
    String dies =
        LEGACY.replace("say '\"error\":{\"code\":-32601,\"message\":\"what?\"}'", "exit 3");
    assertThat(dies).contains("exit 3");
    try (var client = visits.to(program(READ + dies + CALL.formatted(RAIN)))) {
      assertThat(text(call(client))).isEqualTo("it rains");
    }
  }

  @Test
  void a_few_invalid_lines_are_ignored_and_many_end_the_connection() {
    String little = "echo hello; echo; echo '[1]'; ";
    try (var client = visits.to(program(little + READ + LEGACY + CALL.formatted(RAIN)))) {
      assertThat(text(call(client))).isEqualTo("it rains");
    }
    assertThat(visits.failure(program("yes"), TestMcpClients.PATIENCE).reason())
        .isEqualTo(FailureReason.PROTOCOL);
  }

  @Test
  void a_line_that_is_too_long_ends_the_connection() {
    var address = program("tr '\\0' x < /dev/zero");
    assertThat(visits.failure(address, TestMcpClients.PATIENCE).reason())
        .isEqualTo(FailureReason.TOO_LARGE);
  }

  @Test
  void the_failure_of_a_program_that_exits_contains_its_stderr_without_secrets() {
    RemoteFailure failure =
        visits.failure(program("echo 'no key hush found' >&2; exit 4"), TestMcpClients.PATIENCE);
    assertThat(failure.reason()).isEqualTo(FailureReason.CLOSED);
    assertThat(failure)
        .hasMessageContaining("exit code 4")
        .hasMessageContaining("[redacted] found");
  }

  @Test
  void a_program_that_exits_during_a_call_fails_the_call_and_closes_the_client() {
    try (var client = visits.to(program(READ + LEGACY + CALL.formatted("exit 1")))) {
      assertThat(TestMcpClients.failure(() -> call(client)).reason())
          .isEqualTo(FailureReason.CLOSED);
      assertThat(client.isOpen()).isFalse();
      assertThat(TestMcpClients.failure(() -> call(client)).reason())
          .isEqualTo(FailureReason.CLOSED);
    }
  }

  @Test
  void answers_with_unknown_ids_are_ignored() {
    String liar =
        "printf '{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":{}}\\n' \"$id\"; id=999; " + RAIN;
    try (var client = visits.to(program(READ + LEGACY + CALL.formatted(liar)))) {
      var manner = new McpClient.CallOptions(RemoteProgress.IGNORED, Duration.ofMillis(300), null);
      var failure =
          TestMcpClients.failure(
              () -> client.callTool(TestMcpClients.WEATHER, Json.object(), manner));
      assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
    }
  }

  @Test
  void a_program_that_cannot_be_started_is_reported() {
    var nothing =
        new ServerAddress.ProgramAddress(
            List.of("/no/such/program"),
            directory,
            Map.of(),
            ServerAddress.ProgramRights.READ_ONLY,
            List.of(),
            UnaryOperator.identity());
    RemoteFailure failure = visits.failure(nothing, TestMcpClients.PATIENCE);

    assertThat(failure.reason()).isEqualTo(FailureReason.NO_PROGRAM);
    assertThat(failure).hasMessageContaining("program /no/such/program not found");
    assertThat(failure.fault("met").hint()).contains("install the program", "full path");
  }

  @Test
  void a_program_installed_in_tmp_is_the_only_thing_visible_there() throws Exception {
    Sandbox policy = Sandbox.onPath(System.getenv("PATH"));
    SandboxAssumption.requireWorks(policy);
    Prerequisite.requireMachine(directory.startsWith("/tmp"), "temporary files are not in /tmp");
    Path package_ = Files.createDirectories(directory.resolve("package/dist"));
    Files.writeString(directory.resolve("package/package.json"), "{}");
    Files.writeString(directory.resolve("package/words"), RAIN);
    Files.writeString(directory.resolve("secret"), "hush");
    String tries = "test -e %s/secret && exit 9; . %1$s/package/words".formatted(directory);
    Path script =
        Files.writeString(
            package_.resolve("server.sh"), "#!/bin/sh\n" + READ + LEGACY + CALL.formatted(tries));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path link = Files.createSymbolicLink(directory.resolve("server"), script);
    for (List<String> command :
        List.of(List.of(link.toString()), List.of("/bin/sh", script.toString()))) {
      var address =
          new ServerAddress.ProgramAddress(
              command,
              Path.of("/"),
              Map.of(),
              ServerAddress.ProgramRights.READ_ONLY,
              List.of(),
              UnaryOperator.identity());
      try (var client = visits.insideWalls(policy, address)) {
        assertThat(text(call(client))).as(command.toString()).isEqualTo("it rains");
      }
    }
  }

  @Test
  void the_environment_has_the_configured_and_the_basic_variables() {
    String tell =
        "say \"\\\"result\\\":{\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"$(env |"
            + " cut -d= -f1 | tr '\\n' ' ')\\\"}]}\"";
    try (var client = visits.to(program(READ + LEGACY + CALL.formatted(tell)))) {
      assertThat(text(call(client)).split(" "))
          .contains("GREETING", "PATH")
          .isSubsetOf(
              "GREETING",
              "PATH",
              "HOME",
              "LANG",
              "TMPDIR",
              "SUBSTRAT_PROCESS_TREE",
              "PWD",
              "OLDPWD",
              "SHLVL",
              "_");
    }
  }

  @Test
  void closing_the_client_ends_all_processes_of_the_program() throws Exception {
    Path pids = directory.resolve("pids");
    String breeds = "sleep 1000 & echo $! > " + pids + "; " + READ + LEGACY + CALL.formatted(RAIN);
    try (var client = visits.to(program(breeds))) {
      assertThat(text(call(client))).isEqualTo("it rains");
    }
    long pid = Long.parseLong(Files.readString(pids).strip());
    Await.until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void in_the_sandbox_nothing_is_writable_and_hidden_directories_are_invisible() throws Exception {
    Sandbox policy = Sandbox.onPath(System.getenv("PATH"));
    SandboxAssumption.requireWorks(policy);
    Path hidden = Files.createDirectory(Path.of("target").toAbsolutePath().resolve("hidden"));
    try {
      Files.writeString(hidden.resolve("token"), "hush");
      String tries =
          "touch /usr/written 2>/dev/null && exit 8; test -e %1$s/token && exit 9; "
              + "touch /tmp/own || exit 7; "
              + RAIN;
      var address =
          new ServerAddress.ProgramAddress(
              List.of("/bin/sh", "-c", READ + LEGACY + CALL.formatted(tries.formatted(hidden))),
              Path.of("/"),
              Map.of(),
              ServerAddress.ProgramRights.READ_ONLY,
              List.of(hidden),
              UnaryOperator.identity());
      try (var client = visits.insideWalls(policy, address)) {
        assertThat(text(call(client))).isEqualTo("it rains");
      }
    } finally {
      Files.delete(hidden.resolve("token"));
      Files.delete(hidden);
    }
  }

  /// Answers `it rains` if every check passes; the exit code names the one that does not.
  private static ServerAddress.ProgramAddress checking(
      String checks, ServerAddress.ProgramRights access, Path hidden) {
    return new ServerAddress.ProgramAddress(
        List.of("/bin/sh", "-c", READ + LEGACY + CALL.formatted(checks + RAIN)),
        access.own().getFirst(),
        Map.of(),
        access,
        List.of(hidden),
        UnaryOperator.identity());
  }

  @Test
  void a_program_reads_and_writes_only_granted_paths() throws Exception {
    Sandbox policy = Sandbox.onPath(System.getenv("PATH"));
    SandboxAssumption.requireWorks(policy);
    Path data = Files.createDirectory(directory.resolve("data"));
    Path home = Files.createDirectory(data.resolve("home"));
    Path notes = Files.createDirectory(directory.resolve("notes"));
    Path logs = Files.createDirectory(directory.resolve("logs"));
    Path other = Files.createDirectory(directory.resolve("other"));
    for (Path folder : List.of(data, logs, other)) {
      Files.writeString(folder.resolve("file"), "words");
    }
    String checks =
        """
        echo kept > %1$s/kept || exit 11
        grep -q words %2$s/file || exit 12
        touch %2$s/written 2>/dev/null && exit 13
        test -e %3$s/file && exit 14
        test -e %4$s/file && exit 15
        echo cached > %5$s/cached || exit 16
        test "$(ls -A /root 2>/dev/null)" && exit 17
        """
            .formatted(notes, logs, other, data, home);
    var access =
        new ServerAddress.ProgramRights(
            false,
            List.of(
                new SandboxPolicy.VisiblePath(notes, notes, SandboxPolicy.PathAccess.WRITE),
                new SandboxPolicy.VisiblePath(logs, logs, SandboxPolicy.PathAccess.READ)),
            List.of(home));

    try (var client = visits.insideWalls(policy, checking(checks, access, data))) {
      assertThat(text(call(client))).isEqualTo("it rains");
    }

    assertThat(notes.resolve("kept")).hasContent("kept");
    assertThat(home.resolve("cached")).hasContent("cached");
    assertThat(logs.resolve("written")).doesNotExist();
  }

  @Test
  void a_missing_path_or_one_that_exposes_hidden_files_prevents_the_start() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    for (Path path : List.of(directory.resolve("gone"), link, directory)) {
      var access =
          new ServerAddress.ProgramRights(
              false,
              List.of(new SandboxPolicy.VisiblePath(path, path, SandboxPolicy.PathAccess.WRITE)),
              List.of(data));
      RemoteFailure failure = visits.failure(checking("", access, data), TestMcpClients.PATIENCE);
      assertThat(failure.reason()).isEqualTo(FailureReason.NO_PATH);
      assertThat(failure.problem()).contains(path.toString(), "change \"paths\"");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Error: EROFS: read-only file system, open '/srv/x'|mode rw",
        "sh: 1: cannot create /srv/x: Read-only file system|mode rw",
        "npm error code EAI_AGAIN|network: true",
        "curl: (6) Could not resolve host: example.com|network: true",
        "it is Tuesday|retry later"
      })
  void a_failure_caused_by_the_sandbox_has_a_hint_for_a_person(String said, String hint) {
    RemoteFailure failure =
        visits.failure(program("echo \"%s\" >&2; exit 4".formatted(said)), TestMcpClients.PATIENCE);
    assertThat(failure).hasMessageContaining(said);
    assertThat(failure.fault("box").hint()).contains(hint);
    assertThat(failure.problem().contains(hint)).isEqualTo(!said.contains("Tuesday"));
  }

  @Test
  void the_failure_of_a_program_without_answer_contains_its_stderr() {
    RemoteFailure failure =
        visits.failure(
            program("echo 'waiting for hush' >&2; exec sleep 1000"), Duration.ofSeconds(6));
    assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT);
    assertThat(failure).hasMessageContaining("did not answer in time: waiting for [redacted]");
  }

  /// With the daemon's home directory, where the program could not read files of root.
  @Test
  void for_root_the_home_directory_is_hidden_except_for_the_program() throws IOException {
    Path home = Path.of(System.getProperty("user.home"));
    var address =
        new ServerAddress.ProgramAddress(
            List.of("/bin/sh"),
            Path.of("/"),
            Map.of(),
            ServerAddress.ProgramRights.READ_ONLY,
            List.of(),
            UnaryOperator.identity());
    assertThat(StdioSandbox.around(address, Optional.of(SandboxUser.DEFAULT)))
        .isEqualTo(SandboxPolicy.READ_ONLY.hiding(home));
  }

  @Test
  void a_daemon_that_requires_a_sandbox_starts_no_server_without_one() {
    var required = SandboxSettings.DEFAULT.in(SandboxSettings.SandboxMode.REQUIRED);
    var address =
        new ServerAddress.ProgramAddress(
            List.of("/bin/sh"),
            Path.of("/"),
            Map.of(),
            ServerAddress.ProgramRights.READ_ONLY,
            List.of(),
            UnaryOperator.identity());
    // No bubblewrap there.
    Sandbox none = Sandbox.onPath(directory.toString(), required);
    assertThatThrownBy(() -> visits.insideWalls(none, address))
        .isInstanceOf(RemoteFailure.class)
        .hasMessageContaining("SANDBOX_UNAVAILABLE");
  }

  @Test
  void the_sandbox_blocks_writes_and_network() throws IOException {
    Path hidden = Path.of("/home/ada/.substrat");
    var address =
        new ServerAddress.ProgramAddress(
            List.of("/bin/sh", "--flag"),
            Path.of("/srv"),
            Map.of(),
            ServerAddress.ProgramRights.READ_ONLY,
            List.of(hidden),
            UnaryOperator.identity());
    assertThat(StdioSandbox.around(address, Optional.empty()))
        .isEqualTo(SandboxPolicy.READ_ONLY.hiding(hidden));
  }
}
