package dev.substrat.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstalledProgramTest {
  @TempDir Path folder;

  @Test
  void stderr_is_not_used_as_a_version() throws IOException {
    Path script =
        Files.writeString(
            folder.resolve("chromium"), "#!/bin/sh\necho noise >&2\necho; echo Chromium 140\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));

    assertThat(new ToolChecks.InstalledProgram(script).firstLine("--version"))
        .hasValue("Chromium 140");
  }
}
