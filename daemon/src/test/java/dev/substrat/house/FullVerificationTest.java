package dev.substrat.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./verify --full`: finished parts are recorded for a commit, an interrupted run is continued,
/// and the report is written when all have passed.
final class FullVerificationTest {
  /// The functions of `./verify` with parts that only write down that they ran.
  private static final String SCRIPT =
      """
      set -euo pipefail
      ROOT=$PWD
      . PLAN
      fail() { echo "error: $1" >&2; exit 2; }
      parts() {
        echo 'first|one try|ran first'
        echo 'second|two tries|ran second'
      }
      ran() { echo "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0"; echo "$1" >>../ran; [ ! -e "../$1.broken" ]; }
      REPORT=report.md
      COMMAND
      """;

  @TempDir private Path directory;
  private Path project;

  @BeforeEach
  void commitAll() throws Exception {
    project = Files.createDirectory(directory.resolve("project"));
    Files.writeString(project.resolve(".gitignore"), "target/\n");
    run("git", "init", "-q");
    commit();
  }

  private void commit() throws Exception {
    run("git", "add", ".");
    String author = "user.email=test@localhost";
    run("git", "-c", "user.name=test", "-c", author, "commit", "-q", "-m", "change");
  }

  @Test
  void a_second_call_continues_with_the_missing_parts_and_writes_the_report() throws Exception {
    Path broken = Files.createFile(directory.resolve("second.broken"));
    assertThat(plan("run_parts").exitCode()).isEqualTo(1);
    assertThat(ran()).containsExactly("first", "second");
    assertThat(project.resolve("report.md")).doesNotExist();
    assertThat(plan("list_parts").output())
        .containsPattern("first +passed +one try")
        .containsPattern("second +failed +two tries");

    Files.delete(broken);
    assertThat(plan("run_parts").exitCode()).isZero();
    assertThat(ran()).containsExactly("first", "second", "second");
    assertThat(Files.readString(project.resolve("report.md")))
        .containsPattern("Commit: `[0-9a-f]{40}`")
        .containsPattern("\\| first \\| one try \\| 3 \\| 0:00:\\d\\d \\| .*Z \\| passed \\|")
        .containsPattern("\\| second \\| two tries \\| 3 \\|");
  }

  @Test
  void a_result_counts_only_for_its_commit() throws Exception {
    assertThat(plan("run_parts").exitCode()).isZero();
    Files.writeString(project.resolve("new"), "new");
    assertThat(plan("run_parts").output()).contains("the working tree has changes");
    commit();
    assertThat(plan("list_parts").output()).containsPattern("first +missing");
    assertThat(plan("run_parts").exitCode()).isZero();
    assertThat(ran()).containsExactly("first", "second", "first", "second");
  }

  @Test
  void a_chosen_part_runs_even_if_it_has_passed() throws Exception {
    assertThat(plan("run_parts").exitCode()).isZero();
    assertThat(plan("run_parts second").exitCode()).isZero();
    assertThat(ran()).containsExactly("first", "second", "second");
    assertThat(plan("run_parts third").output()).contains("part \"third\" not found");
  }

  @Test
  void quick_runs_the_tests_of_changed_packages_without_slow_ones() throws Exception {
    write("scripts/slow-tests", "# seconds and class\n90 dev.turn.SlowTest\n");
    write("daemon/src/main/java/dev/turn/Turn.java", "1");
    write("daemon/src/test/java/dev/turn/TurnTest.java", "1");
    write("daemon/src/test/java/dev/turn/SlowTest.java", "1");
    write("daemon/src/test/java/dev/space/SpaceTest.java", "1");
    write("README.md", "1");
    commit();
    write("README.md", "2");
    assertThat(plan("changed_tests ''").output()).isEqualTo("dev.substrat.house.HouseRulesTest\n");

    write("daemon/src/main/java/dev/turn/Turn.java", "2");
    assertThat(plan("changed_tests ''").output())
        .isEqualTo("dev.substrat.house.HouseRulesTest,dev.turn.TurnTest\n");
    commit();
    assertThat(plan("changed_tests ''").output()).as("the last commit").contains("TurnTest");
  }

  private void write(String file, String text) throws IOException {
    Path path = project.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private List<String> ran() throws IOException {
    return Files.readAllLines(directory.resolve("ran"));
  }

  private record Result(int exitCode, String output) {}

  private Result plan(String command) throws Exception {
    Path plan = Path.of("../scripts/test-plan.sh").toAbsolutePath().normalize();
    return run("bash", "-c", SCRIPT.replace("PLAN", plan.toString()).replace("COMMAND", command));
  }

  private Result run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }
}
