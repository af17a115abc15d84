package dev.substrat.platform.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.store.SmallDisk;
import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A sandboxed program that exceeds a limit is stopped, and the limit is named.
@Timeout(300)
@Requirement("S0-29")
final class ResourceLimitsTest {
  private static final ResourceLimits SMALL = new ResourceLimits(128, 40, 64, 1, 1, 8_192, 0);

  private final Sandbox small = sandbox(SMALL);

  @TempDir private Path temporary;
  private Path room = Path.of("");

  private static Sandbox sandbox(ResourceLimits limits) {
    return Sandbox.onPath(System.getenv("PATH"), SandboxSettings.DEFAULT.with(limits));
  }

  @BeforeEach
  void requireSandbox() throws IOException {
    SandboxAssumption.requireWorks(small);
    room = Files.createDirectory(temporary.toRealPath().resolve("room"));
    small.handOver(room);
  }

  /// The directory is an ordinary one: the test shows what is written, not that a kernel with
  /// cgroup v2 enforces it.
  @Test
  void a_program_starts_in_a_child_of_the_delegated_cgroup() throws Exception {
    Path cgroup = Files.createDirectory(temporary.toRealPath().resolve("it's delegated"));
    Files.writeString(cgroup.resolve("cgroup.subtree_control"), "cpu memory pids\n");
    Sandbox limited =
        Sandbox.onPath(System.getenv("PATH"), SandboxSettings.DEFAULT.with(SMALL).in(cgroup));

    assertThat(ended(limited.launch(launch("echo fine"), SandboxPolicy.BARE.writing(room))))
        .isEqualTo(new Ended(0, "fine\n"));

    try (var entries = Files.list(cgroup)) {
      assertThat(entries.filter(Files::isDirectory).toList())
          .isNotEmpty()
          .allSatisfy(child -> {
            assertThat(child.resolve("memory.max")).hasContent("" + 8_192L * 1024 * 1024);
            assertThat(child.resolve("pids.max")).hasContent("40");
            String pid = child.getFileName().toString().substring("sandbox-".length());
            assertThat(child.resolve("cgroup.procs")).hasContent(pid);
          });
    }
  }

  @Test
  void without_its_cgroup_no_sandbox_starts() throws Exception {
    Path cgroup = Files.createDirectory(temporary.toRealPath().resolve("plain"));
    Files.writeString(cgroup.resolve("cgroup.subtree_control"), "cpu pids\n");
    Sandbox limited = Sandbox.onPath(System.getenv("PATH"), SandboxSettings.DEFAULT.in(cgroup));

    assertThat(limited.state().works()).isFalse();
    assertThat(limited.state().detail())
        .contains(cgroup + " cannot be used: memory is not in its cgroup.subtree_control");
  }

  private record Ended(int code, String output) {
    String limit() {
      return SMALL.reached(code, output).orElse("none: " + this);
    }
  }

  private Ended run(String script, boolean isOrdinary) throws Exception {
    LaunchParameters launch = launch(script);
    SandboxPolicy policy = SandboxPolicy.BARE.writing(room);
    return isOrdinary
        ? ended(
            OrdinaryUser.as(
                OrdinaryUser.sandbox(SandboxSettings.DEFAULT.with(SMALL)).launch(launch, policy)))
        : ended(small.launch(launch, policy));
  }

  private LaunchParameters launch(String script) {
    return new LaunchParameters(
        List.of("/bin/bash", "-c", "exec 2>&1\n" + script),
        room,
        Map.of(),
        UnaryOperator.identity());
  }

  private static Ended ended(LaunchParameters launch) throws Exception {
    try (var child = ChildProcess.start(launch)) {
      var output = new StringBuilder();
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        output.append(line.text()).append('\n');
      }
      return new Ended(child.exit(Duration.ofMinutes(2)).orElse(-1), output.toString());
    }
  }

  private static final String TOO_MANY =
      "for i in $(seq 200); do sleep 60 & done; echo all were started";

  /// By the limit that stops it.
  private static final Map<String, String> GREEDY =
      Map.of(
          "processes", "sh -c '" + TOO_MANY + "'",
          "memoryMb", "tail /dev/zero",
          "fileSizeMb", "head -c 5000000 /dev/zero > big",
          "cpuSeconds", "while :; do :; done",
          "openFiles", "for i in $(seq 100); do exec {file}</dev/null || exit 1; done");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_program_over_a_limit_is_stopped_and_the_limit_is_named(boolean isOrdinary)
      throws Exception {
    for (var greedy : GREEDY.entrySet()) {
      Ended ended = run(greedy.getValue(), isOrdinary);

      assertThat(ended.code()).as(ended.output()).isNotZero();
      assertThat(ended.limit()).contains("sandboxLimits." + greedy.getKey());
    }
    assertThat(Files.size(room.resolve("big"))).isEqualTo(1 << 20);
  }

  /// The kernel counts processes by user, and all sandboxes of a daemon may have the same.
  @Test
  void a_fork_bomb_in_one_sandbox_does_not_affect_another() throws Exception {
    LaunchParameters many = launch("sh -c '" + TOO_MANY + "'; echo full; read -r more");
    try (var bomb = ChildProcess.start(small.launch(many, SandboxPolicy.BARE.writing(room)))) {
      while (bomb.take() instanceof ProcessOutput.OutputLine line && !line.text().equals("full")) {
        // It meets its limit.
      }
      assertThat(run("echo $(echo fine)", false)).isEqualTo(new Ended(0, "fine\n"));
    }
  }

  private static final ResourceLimits TOTALS = new ResourceLimits(128, 100, 256, 2, 60, 256, 512);

  /// Why the script was stopped, while another sandbox that can write to the same places went on.
  private String stopped(Path place, String script, boolean isOrdinary) throws Exception {
    SandboxSettings settings = SandboxSettings.DEFAULT.with(TOTALS);
    Sandbox sandbox =
        isOrdinary
            ? OrdinaryUser.sandbox(settings)
            : Sandbox.onPath(System.getenv("PATH"), settings);
    room = Files.createDirectories(place.resolve("greedy"));
    sandbox.handOver(room);
    SandboxPolicy policy = SandboxPolicy.BARE.writing(room);
    LaunchParameters modest =
        sandbox.launch(launch("echo up; read -r word; echo \"$word\""), policy);
    LaunchParameters greedy = sandbox.launch(launch(script), policy);
    try (var neighbour = ChildProcess.start(isOrdinary ? OrdinaryUser.as(modest) : modest);
        var child = ChildProcess.start(isOrdinary ? OrdinaryUser.as(greedy) : greedy)) {
      assertThat(neighbour.take()).isEqualTo(new ProcessOutput.OutputLine(1, "up"));
      var said = new StringBuilder();
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        said.append(line.text()).append('\n');
      }
      var code = child.exit(Duration.ofMinutes(2));
      neighbour.send("fine\n".getBytes(UTF_8));
      assertThat(neighbour.take())
          .as("the neighbour")
          .isEqualTo(new ProcessOutput.OutputLine(2, "fine"));
      assertThat(code).as(said.toString()).hasValue(137);
      return sandbox.limitReached(child, code, said.toString()).orElse("none: " + said);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void processes_that_together_use_too_much_memory_are_stopped(boolean isOrdinary)
      throws Exception {
    String many =
        "for i in 1 2 3 4 5 6; do (head -c 60000000 /dev/zero; sleep 60) | tail -c 60000000 & done; wait";
    assertThat(stopped(temporary.toRealPath(), many, isOrdinary))
        .isEqualTo(
            "stopped by the sandbox: its processes together used more than 256 MB of memory"
                + " (sandboxLimits.totalMemoryMb)");
  }

  @Test
  void memory_that_processes_share_counts_once() throws Exception {
    Prerequisite.requireProgram("/usr/bin/python3");
    String sharing =
        """
        python3 -c '
        import os, time
        memory = bytearray(100 << 20)
        for i in range(5):
            if os.fork() == 0:
                time.sleep(3); os._exit(0)
        for i in range(5): os.wait()
        print("shared")'
        """;
    Sandbox sandbox = sandbox(TOTALS);
    assertThat(ended(sandbox.launch(launch(sharing), SandboxPolicy.BARE.writing(room))))
        .isEqualTo(new Ended(0, "shared\n"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_program_that_fills_a_disk_with_small_files_is_stopped(boolean isOrdinary)
      throws Exception {
    String fill =
        "for i in $(seq 300); do head -c 1000000 /dev/zero > f$i || break; sleep 0.02; done; sleep 60";
    try (var disk = SmallDisk.inMemory(64)) {
      assertThat(stopped(disk.directory().toRealPath(), fill, isOrdinary))
          .startsWith("stopped by the sandbox: the disk of " + room + " is almost full")
          .contains("sandboxLimits.diskFreeMb");
      assertThat(disk.directory().toFile().getUsableSpace()).as("free").isPositive();
    }
  }

  @Test
  void node_and_its_reserved_memory_fit_the_default() throws Exception {
    Prerequisite.requireProgram("/usr/bin/node");
    LaunchParameters node = launch("node -e 'console.log(Buffer.alloc(200 << 20, 1).length)'");
    assertThat(
            ended(sandbox(ResourceLimits.DEFAULT).launch(node, SandboxPolicy.BARE.writing(room))))
        .isEqualTo(new Ended(0, "209715200\n"));
  }

  @Test
  void a_successful_program_has_reached_no_limit() {
    assertThat(SMALL.reached(0, "Cannot fork")).isEmpty();
    assertThat(SMALL.reached(1, "no such file")).isEmpty();
    assertThat(SMALL.reached(1, "write: No space left on device"))
        .get()
        .asString()
        .contains("/tmp");
  }

  @Test
  void limits_that_are_too_small_for_any_program_are_rejected() {
    assertThatThrownBy(() -> new ResourceLimits(1, 100, 100, 100, 100, 100, 100))
        .hasMessageContaining("sandboxLimits/memoryMb must be 64 or more");
  }
}
