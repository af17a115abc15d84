package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SharedFileOwnership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;

/// A temporary copy of a worktree's git index, so that the agent's own index is not changed.
record TemporaryGitIndex(Path file) implements AutoCloseable {
  /// `own` is the git directory of the worktree.
  static TemporaryGitIndex of(Path own) throws IOException {
    Path file = own.resolve("substrat-" + UUID.randomUUID());
    Path noted = own.resolve("index");
    if (Files.isRegularFile(noted, LinkOption.NOFOLLOW_LINKS)) {
      Files.copy(noted, file, LinkOption.NOFOLLOW_LINKS);
      SharedFileOwnership.inherit(file);
    }
    return new TemporaryGitIndex(file);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
