package dev.substrat.toolset.workspace;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/// A git repository as files: `top` is what people see of it, `common` where git keeps everything,
/// which for a worktree is elsewhere.
record GitRepository(Path top, Path common) {

  /// The one that a folder is in, if its top is not above `anchor`. A worktree is none: whoever
  /// works there can write what it says about where its repository is.
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
