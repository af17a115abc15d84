package dev.substrat.platform.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of a program that its sandbox shows: its package, and no directory that others could
/// write.
@Requirement("S0-29")
final class ProgramFilesTest {
  @TempDir private Path temporary;
  private Path around = Path.of("");
  private Path program = Path.of("");

  @BeforeEach
  void place() throws IOException {
    around = Files.createDirectory(temporary.toRealPath().resolve("around"));
    Files.writeString(around.resolve("package.json"), "{}");
    Path tools = Files.createDirectory(around.resolve("tools"));
    program = Files.writeString(tools.resolve("run.sh"), "true");
  }

  @Test
  void the_package_around_a_program_is_a_part_of_it() throws IOException {
    assertThat(ProgramFiles.ofAll(List.of(program)).files()).contains(around, program);
  }

  @Test
  void a_world_writable_directory_is_not_a_package() throws IOException {
    Files.setPosixFilePermissions(around, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(ProgramFiles.ofAll(List.of(program)).files())
        .contains(program)
        .doesNotContain(around);
    Path beside = Files.writeString(around.resolve("beside.sh"), "true");
    assertThat(ProgramFiles.ofAll(List.of(beside)).files()).contains(beside).doesNotContain(around);
    assertThat(
            ProgramFiles.inside(List.of(temporary.toRealPath()), List.of(beside, program)).files())
        .contains(beside, program)
        .doesNotContain(around);
  }

  @Test
  void a_directory_above_a_world_writable_one_is_not_a_package() throws IOException {
    Files.setPosixFilePermissions(
        program.resolveSibling(""), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(ProgramFiles.ofAll(List.of(program)).files()).doesNotContain(around);
  }

  @Test
  void a_directory_of_another_user_is_not_a_package_unless_that_user_owns_the_program()
      throws IOException {
    Prerequisite.requireMachine(SandboxUser.isDaemonRoot(), "needs root");
    Files.setAttribute(around, "unix:uid", 1_234);
    assertThat(ProgramFiles.ofAll(List.of(program)).files())
        .contains(program)
        .doesNotContain(around);
    Files.setAttribute(program, "unix:uid", 1_234);
    assertThat(ProgramFiles.ofAll(List.of(program)).files()).contains(program, around);
  }
}
