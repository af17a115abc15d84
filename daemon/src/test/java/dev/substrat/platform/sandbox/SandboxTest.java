package dev.substrat.platform.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.SandboxPolicy.PathAccess;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@Requirement("S0-29")
class SandboxTest {
  private final Sandbox sandbox = Sandbox.onPath(System.getenv("PATH"));

  @TempDir private Path temporary;

  private Path room = Path.of("");

  @BeforeEach
  void furnish() throws IOException {
    room = Files.createDirectory(temporary.toRealPath().resolve("room"));
    sandbox.handOver(room);
  }

  /// Output lines of a shell script that runs in the workspace.
  private List<String> say(Sandbox policy, SandboxPolicy seen, String script) throws Exception {
    var launch =
        new LaunchParameters(
            List.of("/bin/sh", "-c", script),
            room,
            Map.of("GIVEN", "yes"),
            UnaryOperator.identity());
    var lines = new ArrayList<String>();
    policy.handOver(room);
    try (var child = ChildProcess.start(policy.launch(launch, seen))) {
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        lines.add(line.text());
      }
    }
    return lines;
  }

  @Nested
  class In_a_sandbox {
    @BeforeEach
    void requireBubblewrap() {
      SandboxAssumption.requireWorks(sandbox);
    }

    private List<String> say(SandboxPolicy policy, String script) throws Exception {
      return SandboxTest.this.say(sandbox, policy, script);
    }

    @Test
    void a_program_can_write_only_to_its_workspace() throws Exception {
      Files.writeString(temporary.resolve("secret"), "hush");
      assertThat(
              say(
                  SandboxPolicy.BARE.writing(room),
                  """
                  echo mine > file && echo wrote
                  cat ../secret 2>/dev/null || echo no secret
                  touch /usr/written 2>/dev/null || echo no change
                  ls -A /home /root 2>/dev/null || echo no homes
                  """))
          .containsExactly("wrote", "no secret", "no change", "no homes");
      assertThat(room.resolve("file")).hasContent("mine\n");
    }

    /// It is memory, and would be half of the machine's.
    @Test
    void directories_that_only_contain_mount_points_are_read_only() throws Exception {
      Path hidden = Files.createDirectory(room.resolve("hidden"));
      assertThat(
              say(
                  SandboxPolicy.BARE.writing(room).hiding(hidden),
                  """
                  for place in / /run /dev hidden; do
                    touch "$place/written" 2>/dev/null && echo "wrote to $place"
                  done
                  echo nothing > /dev/null && touch /tmp/a /dev/shm/a here && echo wrote
                  """))
          .containsExactly("wrote");
    }

    @Test
    void files_not_readable_for_all_users_are_empty() throws Exception {
      assertThat(say(SandboxPolicy.BARE.writing(room), "cat /etc/shadow 2>/dev/null | wc -c"))
          .containsExactly("0");
    }

    @Test
    void the_environment_is_the_given_one_and_home_is_the_workspace() throws Exception {
      List<String> environment = say(SandboxPolicy.BARE.writing(room), "env");
      assertThat(environment).contains("GIVEN=yes", "HOME=" + room, "TMPDIR=/tmp");
      assertThat(environment.stream().map(line -> line.replaceAll("=.*", "")))
          .isSubsetOf(
              "GIVEN",
              "HOME",
              "TMPDIR",
              "PATH",
              "LANG",
              "TZ",
              "PWD",
              "OLDPWD",
              "SHLVL",
              "_",
              "GIT_CONFIG_COUNT",
              "GIT_CONFIG_KEY_0",
              "GIT_CONFIG_VALUE_0",
              "SUBSTRAT_PROCESS_TREE");
    }

    @Test
    void processes_outside_the_sandbox_are_invisible_and_cannot_be_signalled() throws Exception {
      long me = ProcessHandle.current().pid();
      assertThat(
              say(
                  SandboxPolicy.BARE.writing(room),
                  "kill -0 %d 2>/dev/null || echo nobody; ls /proc | grep -c '^[0-9]*$'"
                      .formatted(me)))
          .first()
          .isEqualTo("nobody");
      List<String> seen = say(SandboxPolicy.BARE.writing(room), "cat /proc/[0-9]*/comm");
      assertThat(seen).contains("bwrap", "sh").doesNotContain("java");
    }

    @Test
    void capabilities_are_gone() throws Exception {
      assertThat(say(SandboxPolicy.BARE.writing(room), "grep CapEff /proc/self/status"))
          .containsExactly("CapEff:\t0000000000000000");
    }

    @Test
    void without_network_loopback_is_unreachable() throws Exception {
      try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        String knock =
            "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", %d), 2)'"
                    .formatted(server.getLocalPort())
                + " 2>/dev/null && echo reached || echo refused";
        Prerequisite.requireProgram("/usr/bin/python3");
        assertThat(say(SandboxPolicy.BARE.writing(room), knock)).containsExactly("refused");
        assertThat(say(SandboxPolicy.BARE.writing(room).withNetwork(), knock))
            .containsExactly("reached");
      }
    }

    /// As agent CLIs do it: MCP goes through the bridge then.
    @Test
    void without_network_the_daemons_socket_is_reachable_and_cannot_be_replaced() throws Exception {
      Prerequisite.requireProgram("/usr/bin/python3");
      Path socket = temporary.toRealPath().resolve("daemon.sock");
      Path jar = Files.writeString(temporary.toRealPath().resolve("bridge.jar"), "jar");
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        SharedFileOwnership.share(socket, SandboxUser.DEFAULT, "rw-rw----");
        String knock =
            """
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("%1$s")' && echo reached
            cat %2$s; echo
            rm -f %1$s %2$s 2>/dev/null || echo kept
            """
                .formatted(socket, jar);
        assertThat(say(SandboxPolicy.BARE.writing(room).reading(socket).reading(jar), knock))
            .containsExactly("reached", "jar", "kept");
      }
    }

    @Test
    void hidden_paths_inside_a_visible_directory_stay_hidden() throws Exception {
      Path data = Files.createDirectories(room.resolve("data/workspaces/ada"));
      Files.writeString(room.resolve("data/operator.token"), "hush");
      Files.writeString(data.resolve("mine"), "yes");
      SandboxPolicy policy =
          SandboxPolicy.BARE.writing(room).writing(data).hiding(room.resolve("data"));
      assertThat(say(policy, "ls -A data; cat data/workspaces/ada/mine; echo"))
          .containsExactly("workspaces", "yes");
    }

    @Test
    void hidden_paths_stay_hidden_at_every_mount_point() throws Exception {
      Files.createDirectory(room.resolve("data"));
      Files.writeString(room.resolve("data/operator.token"), "hush");
      Path link = Files.createSymbolicLink(temporary.toRealPath().resolve("link"), room);
      SandboxPolicy policy =
          SandboxPolicy.BARE
              .writing(room)
              .showing(new SandboxPolicy.VisiblePath(room, Path.of("/host"), PathAccess.READ))
              .showing(new SandboxPolicy.VisiblePath(link, Path.of("/way"), PathAccess.READ))
              .showing(
                  new SandboxPolicy.VisiblePath(
                      room.resolve("data"), Path.of("/data"), PathAccess.READ))
              .hiding(room.resolve("data"));
      assertThat(say(policy, "cat data/* /host/data/* /way/data/* /data/* 2>/dev/null; echo over"))
          .containsExactly("over");
    }

    @Test
    void a_view_is_visible_at_its_mount_point_and_read_only() throws Exception {
      Path library = Files.createDirectory(temporary.toRealPath().resolve("library"));
      Files.writeString(library.resolve("book"), "once");
      SandboxPolicy policy =
          SandboxPolicy.BARE
              .writing(room)
              .showing(
                  new SandboxPolicy.VisiblePath(library, Path.of("/library"), PathAccess.READ));
      assertThat(say(policy, "cat /library/book; echo; rm /library/book 2>/dev/null || echo kept"))
          .containsExactly("once", "kept");
    }

    @Test
    void closing_a_sandbox_ends_all_its_processes() throws Exception {
      var launch =
          new LaunchParameters(
              List.of("/bin/sh", "-c", "env -i sleep 1000 & echo up; sleep 1000"),
              room,
              Map.of(),
              UnaryOperator.identity());
      try (var child =
          ChildProcess.start(sandbox.launch(launch, SandboxPolicy.BARE.writing(room)))) {
        assertThat(child.take()).isEqualTo(new ProcessOutput.OutputLine(1, "up"));
        assertThat(sleepers()).isPositive();
      }
      Await.until(() -> sleepers() == 0);
    }

    /// Processes whose working directory is the workspace; only those of this test have it.
    private long sleepers() {
      return ProcessHandle.allProcesses()
          .filter(process -> {
            try {
              Path place = Path.of("/proc", String.valueOf(process.pid()), "cwd");
              return Files.readSymbolicLink(place).equals(room);
            } catch (IOException e) {
              return false;
            }
          })
          .count();
    }
  }

  /// With the sandbox of the current user, and with that of an ordinary user if the current one is
  /// root.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(300)
  void the_escape_probe_finds_no_way_out_of_the_sandbox(boolean isOrdinary) throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Path data = Files.createDirectory(temporary.resolve("data"));
    Files.writeString(data.resolve("operator.token"), "hush");
    Sandbox examined = isOrdinary ? OrdinaryUser.sandbox(SandboxSettings.DEFAULT) : sandbox;
    var launch =
        new LaunchParameters(
            List.of("/bin/sh", "-c", SandboxProbe.script(data.toRealPath())),
            room,
            Map.of(),
            UnaryOperator.identity());
    LaunchParameters inside =
        examined.launch(launch, SandboxPolicy.BARE.writing(room).hiding(data));
    var lines = new ArrayList<String>();
    try (var child = ChildProcess.start(isOrdinary ? OrdinaryUser.as(inside) : inside)) {
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        lines.add(line.text());
      }
      assertThat(lines).as(child.lastWords()).containsExactly(SandboxProbe.CLEAN);
    }
  }

  @Test
  void system_calls_that_no_tool_needs_are_refused() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SeccompFilter.here().isPresent(), "no filter for this processor");
    Prerequisite.requireMachine(
        System.getProperty("os.arch").equals("amd64"), "the numbers of system calls are others");
    Prerequisite.requireProgram("/usr/bin/perl");
    String keyctl = "perl -e '$! = 0; syscall(250, 0, -3, 0); print $! + 0, \"\\n\"'";
    assertThat(say(sandbox, SandboxPolicy.NONE, keyctl)).containsExactly("0");
    assertThat(say(sandbox, SandboxPolicy.BARE.writing(room), keyctl)).containsExactly("1");
  }

  /// A program could not open root's pipe again.
  @Test
  void dev_stdout_can_be_opened() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    assertThat(say(sandbox, SandboxPolicy.BARE.writing(room), "echo heard > /dev/stdout"))
        .containsExactly("heard");
    assertThat(Files.getAttribute(Path.of("/dev/null"), "unix:uid"))
        .as("only its pipes are given to the sandbox user")
        .isEqualTo(0);
  }

  @Test
  void a_folder_of_root_is_shared_with_the_group_and_keeps_its_owner() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    Path roots = Files.createDirectory(temporary.resolve("roots"));
    Path inside = Files.writeString(roots.resolve("inside"), "words");
    for (Path path : List.of(roots, inside)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }
    SandboxPolicy policy = SandboxPolicy.BARE.writing(room).writing(roots);
    assertThat(say(sandbox, policy, "cd %s && cat inside && echo more >> inside".formatted(roots)))
        .containsExactly("words");
    assertThat(Files.getAttribute(roots, "unix:uid")).isEqualTo(0);
    assertThat(Files.getAttribute(roots, "unix:gid")).isEqualTo(60_999);
  }

  @Test
  void only_files_of_root_change_their_group_in_a_shared_directory() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    Path project = Files.createDirectory(temporary.resolve("project"));
    Path others = Files.writeString(project.resolve("others"), "words");
    Path key = Files.writeString(project.resolve("key.pem"), "hush");
    for (Path file : List.of(others, key)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    Files.setAttribute(others, "unix:uid", 1_234);
    Sandbox hiding = Sandbox.onPath(System.getenv("PATH"), SandboxSettings.DEFAULT.hiding(key));
    assertThat(
            say(
                hiding,
                SandboxPolicy.BARE.writing(room).writing(project),
                "touch %s/new".formatted(project)))
        .isEmpty();
    assertThat(project.resolve("new")).exists();
    for (Path file : List.of(others, key)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(0);
    }
  }

  /// At every mount point and under every name.
  @Test
  void secret_files_of_the_daemon_are_hidden() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Path key = Files.writeString(room.resolve("key.pem"), "hush");
    Path outside = Files.createDirectory(Path.of("target").toAbsolutePath().resolve("secret"));
    Path config = Files.writeString(outside.resolve("config.yaml"), "hush");
    try {
      SandboxSettings settings = SandboxSettings.DEFAULT.hiding(key).hiding(config);
      Sandbox hiding = Sandbox.onPath(System.getenv("PATH"), settings);
      SandboxPolicy own =
          SandboxPolicy.BARE
              .writing(room)
              .showing(new SandboxPolicy.VisiblePath(room, Path.of("/host"), PathAccess.READ))
              .showing(new SandboxPolicy.VisiblePath(key, Path.of("/key"), PathAccess.READ));
      String read = "cat key.pem /host/key.pem /key %s 2>/dev/null; ".formatted(config);
      assertThat(say(hiding, own, read + "mv key.pem other 2>/dev/null || echo kept"))
          .containsExactly("kept");
      assertThat(say(hiding, SandboxPolicy.READ_ONLY.reading(room), read + "echo over"))
          .containsExactly("over");
    } finally {
      Files.delete(config);
      Files.delete(outside);
    }
  }

  /// Bubblewrap ends with the thread that started it, and threads end.
  @Test
  void a_program_outlives_the_thread_that_started_it() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    var launch =
        new LaunchParameters(
            List.of("/bin/sh", "-c", "echo up; read -r line; echo \"$line\""),
            room,
            Map.of(),
            UnaryOperator.identity());
    var starting = new CompletableFuture<ChildProcess>();
    Thread starter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                starting.complete(
                    ChildProcess.start(sandbox.launch(launch, SandboxPolicy.BARE.writing(room))));
                starting.join().take();
              } catch (IOException | InterruptedException e) {
                starting.completeExceptionally(e);
              }
            });
    starter.join();
    try (var child = starting.join()) {
      assertThat(child.exit(Duration.ofSeconds(1))).as("killed with its thread").isEmpty();
      child.send("still here\n".getBytes(UTF_8));
      assertThat(child.take()).isEqualTo(new ProcessOutput.OutputLine(2, "still here"));
    }
  }

  /// They have no file, and belong to the network that the program may use.
  @Test
  void abstract_sockets_of_the_machine_are_not_reached() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(LandlockScope.isSupported(), "the kernel has no Landlock scopes");
    try (var socket = AbstractSocket.open()) {
      assertThat(say(sandbox, SandboxPolicy.NONE, socket.knock())).containsExactly("reached");
      assertThat(say(sandbox, SandboxPolicy.BARE.writing(room).withNetwork(), socket.knock()))
          .containsExactly("refused");
    }
  }

  /// The processes that build the sandbox run outside of it.
  @Test
  void variables_of_a_program_take_effect_inside_only() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Path trap = Files.createDirectory(temporary.resolve("trap"));
    Path trace = temporary.resolve("trace");
    Path chown = Files.writeString(trap.resolve("chown"), "#!/bin/sh\nid -u >> " + trace + "\n");
    Files.setPosixFilePermissions(chown, PosixFilePermissions.fromString("rwxr-xr-x"));
    var environment =
        Map.of(
            "PATH",
            trap + ":/usr/bin:/bin",
            "LD_PRELOAD",
            trap.resolve("nothing.so").toString(),
            "BASH_FUNC_test%%",
            "() { id -u >> " + trace + "; }");
    var launch =
        sandbox.launch(
            new LaunchParameters(
                List.of("/bin/sh", "-c", "echo \"$LD_PRELOAD\""),
                Path.of("/"),
                environment,
                UnaryOperator.identity()),
            SandboxPolicy.BARE.writing(room));
    assertThat(launch.environment()).doesNotContainKeys("LD_PRELOAD", "BASH_FUNC_test%%");
    try (var child = ChildProcess.start(launch)) {
      assertThat(child.exit(Duration.ofMinutes(2))).hasValue(0);
    }
    assertThat(trace).doesNotExist();
  }

  /// A read-only mount does not keep a program from connecting to a socket.
  @Test
  void sockets_of_the_machine_are_invisible() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(Files.isWritable(Path.of("/run")), "/run is not writable");
    // A server that can read all files of the machine may find other sockets, too.
    for (Path folder : List.of(Path.of("/run"), Path.of("target").toAbsolutePath())) {
      Path place = folder.resolve("substrat-" + UUID.randomUUID() + ".sock");
      try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(place));
        String script = "test -S %s && echo seen || echo not seen".formatted(place);
        assertThat(say(sandbox, SandboxPolicy.NONE, script)).containsExactly("seen");
        for (SandboxPolicy policy :
            List.of(SandboxPolicy.BARE.writing(room), SandboxPolicy.READ_ONLY.reading(room))) {
          assertThat(say(sandbox, policy, script)).containsExactly("not seen");
        }
      } finally {
        Files.deleteIfExists(place);
      }
    }
  }

  @Test
  void the_data_directory_inside_a_chosen_folder_keeps_its_rights() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    Path project = Files.createDirectory(temporary.resolve("project"));
    Path data = Files.createDirectory(project.resolve("data"));
    Path token = Files.writeString(data.resolve("operator.token"), "secret");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    SandboxPolicy policy = SandboxPolicy.BARE.writing(project).hiding(data);
    assertThatThrownBy(() -> say(sandbox, policy, "true"))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.PATH_BLOCKED));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
        .isEqualTo("rw-------");
  }

  @Test
  void system_folders_are_not_shared() {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    for (String system : List.of("/etc", "/usr/local", "/", "/root")) {
      SandboxPolicy policy = SandboxPolicy.BARE.writing(Path.of(system));
      assertThatThrownBy(() -> say(sandbox, policy, "true"))
          .isInstanceOfSatisfying(
              Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.PATH_BLOCKED));
    }
  }

  @Test
  void a_directory_of_another_user_is_rejected_with_a_hint() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    Path others = Files.createDirectory(temporary.resolve("others"));
    Files.setAttribute(others, "unix:uid", 60_998);
    assertThatThrownBy(() -> say(sandbox, SandboxPolicy.BARE.writing(room).writing(others), "true"))
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> {
              assertThat(fault.code()).isEqualTo(ErrorCode.PATH_BLOCKED);
              assertThat(fault.message()).contains("uid 60999", "cannot write to", "others");
              assertThat(fault.hint()).contains("chown -R 60999", "sandboxUser");
            });
  }

  @Test
  void a_daemon_that_requires_a_sandbox_starts_no_program_without_one() {
    var required = SandboxSettings.DEFAULT.in(SandboxSettings.SandboxMode.REQUIRED);
    Sandbox here = Sandbox.onPath(System.getenv("PATH"), required);
    assertThatThrownBy(() -> say(here, SandboxPolicy.NONE, "echo plain"))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.SANDBOX_REQUIRED));
    assertThatThrownBy(
            () -> say(Sandbox.none("not here", required), SandboxPolicy.BARE, "echo plain"))
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> assertThat(fault.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
  }

  @Test
  void the_sandbox_report_is_measured_from_inside() throws Exception {
    SandboxAssumption.requireWorks(sandbox);
    Path data = Files.createDirectory(temporary.resolve("data"));
    Files.writeString(data.resolve("operator.token"), "hush");
    SandboxReport report = SandboxSelfTest.of(sandbox, data);
    assertThat(report.checks()).hasSize(8).allMatch(SandboxReport.SandboxCheck::ok);
    assertThat(report.level()).isEqualTo("full");
    assertThat(SandboxSelfTest.of(Sandbox.none("not here"), data).level()).isEqualTo("none");
  }

  @Test
  void without_a_sandbox_a_program_runs_unless_a_sandbox_is_required() throws Exception {
    Sandbox none = Sandbox.none("not here");
    assertThat(none.state()).isEqualTo(new Sandbox.SandboxState(false, "not here"));
    assertThat(say(none, SandboxPolicy.BARE.writing(room), "echo plain")).containsExactly("plain");
    assertThatThrownBy(() -> say(none, SandboxPolicy.BARE.as(SandboxLevel.REQUIRED), "echo plain"))
        .isInstanceOfSatisfying(
            Fault.class,
            fault -> assertThat(fault.code()).isEqualTo(ErrorCode.SANDBOX_UNAVAILABLE));
  }

  @Test
  void a_failing_bubblewrap_means_no_sandbox_with_the_reason() throws Exception {
    Path fake =
        Files.writeString(temporary.resolve("bwrap"), "#!/bin/sh\necho no rooms >&2; exit 1\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();
    Sandbox broken = Sandbox.onPath(temporary + File.pathSeparator + System.getenv("PATH"));
    assertThat(broken.state())
        .isEqualTo(new Sandbox.SandboxState(false, "bubblewrap does not work: no rooms"));
    assertThat(Sandbox.onPath(room.toString()).state().detail())
        .isEqualTo("bubblewrap is not installed");
  }

  /// The message of Debian's bubblewrap where user namespaces are disabled; `doctor` shows it.
  @Test
  void a_machine_without_user_namespaces_has_no_sandbox_for_ordinary_users() throws Exception {
    String reason =
        "bwrap: No permissions to create new namespace, likely because the kernel does not allow"
            + " non-privileged user namespaces.";
    Path fake =
        Files.writeString(
            temporary.resolve("bwrap"), "#!/bin/sh\necho '" + reason + "' >&2; exit 1\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();
    Sandbox forbidden =
        Sandbox.ofOrdinaryUser(
            temporary + File.pathSeparator + System.getenv("PATH"), SandboxSettings.DEFAULT);
    SandboxReport report = SandboxSelfTest.of(forbidden, temporary);
    assertThat(report.level()).isEqualTo("none");
    assertThat(report.detail()).isEqualTo("bubblewrap does not work: " + reason);
    assertThat(report.checks()).isEmpty();
  }

  @Test
  void with_sandbox_off_a_program_runs_without_one() throws Exception {
    Files.writeString(temporary.resolve("seen"), "all");
    assertThat(say(sandbox, SandboxPolicy.NONE, "cat ../seen; echo")).containsExactly("all");
  }
}
