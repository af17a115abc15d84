package dev.substrat.teamtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A directory for one test, in memory where the machine has such a place: nothing in it is meant
/// to last, and then no commit waits for a disk.
final class ScratchDirectory implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path directory;

  private ScratchDirectory(Path directory) {
    this.directory = directory;
  }

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

  Path directory() {
    return directory;
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
