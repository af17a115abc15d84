package dev.substrat.teamtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// Temporary directory of one test, in `/dev/shm` if available, so that commits wait for no disk.
record ScratchDirectory(Path directory) implements AutoCloseable {

  private static final Path MEMORY = Path.of("/dev/shm");

  static ScratchDirectory fresh() {
    try {
      return new ScratchDirectory(
          Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "substrat-teamtest-")
              : Files.createTempDirectory("substrat-teamtest-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
