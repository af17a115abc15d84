package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// A temporary file with the system call filter, for bubblewrap to read.
///
/// Safe for many threads. If the file was deleted, it is written again: systems clean up their
/// temporary files.
final class SeccompFilterFile {
  private final SeccompFilter filter;
  private @Nullable Path path;

  SeccompFilterFile(SeccompFilter filter) {
    this.filter = filter;
  }

  synchronized Path path() {
    if (path == null || !Files.exists(path)) {
      try {
        Path fresh = Files.createTempFile("substrat-", ".seccomp");
        fresh.toFile().deleteOnExit();
        Files.write(fresh, filter.program());
        // Not secret, and bubblewrap may run as another user.
        path = Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write the system call filter", e);
      }
    }
    return path;
  }
}
