package dev.substrat.toolset.workspace;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// A git repository on disk: `top` is its working tree, `common` its git directory, which is in
/// another place for a worktree.
record GitRepository(Path top, Path common) {

  /// The repository that contains a directory, if its top is not above `anchor`. A worktree does
  /// not count: its agent can change where it points to.
  static Optional<GitRepository> around(Path folder, Path anchor) {
    for (Path top = folder; top != null && top.startsWith(anchor); top = top.getParent()) {
      Path git = top.resolve(GitGuard.FOLDER);
      if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(new GitRepository(top, git));
      }
    }
    return Optional.empty();
  }
}
