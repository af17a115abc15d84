package dev.substrat.workspace;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A git repository as files: `top` is what people see of it, `common` where git keeps everything,
/// which for a worktree is elsewhere.
record Repository(Path top, Path common) {

  /// The one that a folder is in, if its top is not above `anchor`. A worktree is none: whoever
  /// works there can write what it says about where its repository is.
  static Optional<Repository> around(Path folder, Path anchor) {
    for (Path top = folder; top != null && top.startsWith(anchor); top = top.getParent()) {
      Path git = top.resolve(".git");
      if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.of(new Repository(top, git));
      }
    }
    return Optional.empty();
  }

  /// What whoever works there must not write, because git would run it.
  List<Path> traps() {
    var traps = new ArrayList<Path>();
    for (String name : List.of("config", "hooks")) {
      Path trap = common.resolve(name);
      if (Files.exists(trap, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(trap)) {
        traps.add(trap);
      }
    }
    return traps;
  }
}
