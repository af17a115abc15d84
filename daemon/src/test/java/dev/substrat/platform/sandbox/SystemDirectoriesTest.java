package dev.substrat.platform.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.platform.sandbox.SystemDirectories.MountedPath;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Directories visible in every sandbox, without files that are not readable for all users.
@Timeout(300)
@Requirement("S0-29")
class SystemDirectoriesTest {
  @TempDir private Path temporary;

  private Path opt = Path.of("");

  @BeforeEach
  void furnish() throws IOException {
    opt = Files.createDirectory(temporary.toRealPath().resolve("opt"));
    Files.createDirectory(opt.resolve("app"));
    write("app/readme", "rw-r--r--");
    write("app/key", "rw-------");
    write("closed/plan", "rw-r--r--");
    rights("closed", "rwxr-x---");
  }

  private void write(String name, String rights) throws IOException {
    Path file = opt.resolve(name);
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(file, name);
    Path folder = opt;
    for (String step : name.split("/")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      folder = folder.resolve(step);
    }
    rights(name, rights);
  }

  private void rights(String name, String rights) throws IOException {
    Files.setPosixFilePermissions(opt.resolve(name), PosixFilePermissions.fromString(rights));
  }

  private List<Path> covers() {
    return SystemDirectories.of(List.of(opt), List.of(opt)).covers().stream()
        .map(MountedPath::at)
        .toList();
  }

  @Test
  void files_not_readable_for_all_users_are_masked() {
    assertThat(covers()).containsExactlyInAnyOrder(opt.resolve("app/key"), opt.resolve("closed"));
  }

  @Test
  void a_directory_with_too_many_unreadable_files_is_masked() throws IOException {
    for (int i = 0; i < 60; i++) {
      write("many/%d/key".formatted(i), "rw-------");
    }
    assertThat(covers()).contains(opt.resolve("many"), opt.resolve("app/key")).hasSize(3);
  }

  /// The scan is older than the change.
  @Test
  void a_file_deleted_after_the_scan_is_ignored() throws Exception {
    SystemDirectories folders = here();
    assertThat(say(folders, SandboxPolicy.BARE)).containsExactly("app/readme", "over");

    Files.delete(opt.resolve("app/key"));
    assertThat(say(folders, SandboxPolicy.BARE)).containsExactly("app/readme", "over");
  }

  @Test
  void files_in_a_writable_path_are_visible_whatever_their_permissions() throws Exception {
    assertThat(say(here(), SandboxPolicy.BARE.writing(opt.resolve("app"))))
        .containsExactly("app/key", "app/readme", "over");
  }

  /// A cover is memory, and there may be many of them.
  @Test
  void the_mask_of_a_directory_is_read_only() throws Exception {
    String script = "echo x > closed/x; [ -e closed/x ] && echo written; echo over";
    assertThat(run(here(), SandboxPolicy.BARE, script)).containsExactly("over");

    Path inside = Files.createDirectory(opt.resolve("closed/open"));
    String deeper = "echo x > closed/open/x; cat closed/open/x; echo over";
    assertThat(run(here(), SandboxPolicy.BARE.writing(inside), deeper))
        .as("a visible directory inside of it is not masked")
        .containsExactly("x", "over");
  }

  private SystemDirectories here() {
    List<Path> programs =
        Stream.of("/usr", "/bin", "/lib", "/lib64", opt.toString()).map(Path::of).toList();
    return SystemDirectories.of(programs, List.of(opt));
  }

  /// Files that are readable in the sandbox.
  private List<String> say(SystemDirectories folders, SandboxPolicy policy) throws Exception {
    return run(
        folders,
        policy,
        "for f in app/key app/readme closed/plan; do cat $f && echo; done; echo over");
  }

  private List<String> run(SystemDirectories folders, SandboxPolicy policy, String script)
      throws Exception {
    var tools =
        new SandboxRestrictions.RestrictionPrograms(
            Path.of("/usr/bin/bwrap"),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var confinement =
        new SandboxRestrictions(
            tools, ResourceLimits.DEFAULT, Optional.empty(), false, Optional.empty());
    SandboxAssumption.requireWorks(Sandbox.onPath("/usr/bin"));
    var launch =
        new LaunchParameters(
            new BubblewrapCommand(confinement, () -> folders)
                .around(List.of("/bin/sh", "-c", script), opt, policy),
            opt,
            Map.of(),
            UnaryOperator.identity());
    var lines = new ArrayList<String>();
    try (var child = ChildProcess.start(launch)) {
      while (child.take() instanceof ProcessOutput.OutputLine line) {
        lines.add(line.text());
      }
    }
    lines.removeIf(String::isEmpty);
    return lines;
  }
}
