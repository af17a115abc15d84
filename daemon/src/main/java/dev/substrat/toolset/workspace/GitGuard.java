package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.PathAccess;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.toolset.workspace.ConfinedDirectory.MissingDirectoryPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Protects the files that git executes or is configured by from processes in the sandbox.
///
/// Each of these files is mounted read-only, so it can be neither written nor moved. Only an
/// existing file can be mounted: missing ones are created, in a form that git accepts.
final class GitGuard {
  static final String FOLDER = ".git";

  private static final String LEADS_TO_COMMON = "commondir";

  /// Contents of the files that are created. `commondir` says where git finds its configuration and
  /// hooks; here it names the git directory itself, which is the default.
  private static final Map<String, String> FILES =
      Map.of("config", "", "config.worktree", "", LEADS_TO_COMMON, ".\n");

  /// Other worktrees and submodules have a configuration each.
  private static final List<String> FOLDERS = List.of("hooks", "worktrees", "modules");

  private GitGuard() {}

  /// Adds a writable directory, visible at `at`. If it is a repository, the files that git executes
  /// are read-only.
  static SandboxPolicy writing(SandboxPolicy policy, ConfinedDirectory directory, Path at)
      throws IOException {
    SandboxPolicy shown =
        policy.showing(new SandboxPolicy.VisiblePath(directory.folder(), at, PathAccess.WRITE));
    Path git = directory.folder().resolve(FOLDER);
    return Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)
        ? guarded(shown, directory.part(FOLDER), at.resolve(FOLDER))
        : shown;
  }

  /// Adds a writable worktree, and the part of its repository that git needs for it. `name` is
  /// git's name of the worktree.
  static SandboxPolicy branch(SandboxPolicy policy, Path worktree, Path common, String name)
      throws IOException {
    SandboxPolicy shown = policy.writing(worktree).reading(worktree.resolve(FOLDER));
    var directory = new ConfinedDirectory(common, SafePath.ROOT, HiddenPaths.NOTHING);
    shown = guarded(shown, directory, directory.folder());
    ConfinedDirectory own = directory.part("worktrees").part(name);
    createMissing(own, "config.worktree", "");
    shown = shown.writing(own.folder());
    for (String file : List.of("config.worktree", LEADS_TO_COMMON, "gitdir")) {
      shown = shown.reading(own.folder().resolve(file));
    }
    return shown;
  }

  private static SandboxPolicy guarded(SandboxPolicy policy, ConfinedDirectory git, Path at)
      throws IOException {
    SandboxPolicy shown =
        policy.showing(new SandboxPolicy.VisiblePath(git.folder(), at, PathAccess.WRITE));
    // If the daemon cannot create files there, its children cannot either.
    if (Files.isWritable(git.folder())) {
      createMissing(git);
    }
    for (String name : Stream.concat(FILES.keySet().stream(), FOLDERS.stream()).toList()) {
      Path trap = git.folder().resolve(name);
      if (Files.exists(trap, LinkOption.NOFOLLOW_LINKS)) {
        shown =
            shown.showing(new SandboxPolicy.VisiblePath(trap, at.resolve(name), PathAccess.READ));
      }
    }
    return shown;
  }

  private static void createMissing(ConfinedDirectory git) throws IOException {
    for (var file : FILES.entrySet()) {
      createMissing(git, file.getKey(), file.getValue());
    }
    for (String folder : FOLDERS) {
      git.part(folder).in(SafePath.ROOT, MissingDirectoryPolicy.MADE, _ -> true);
    }
  }

  /// For git commands of the daemon itself: it creates and removes worktrees, but does not write
  /// files that git executes either.
  static SandboxPolicy sealed(SandboxPolicy policy, Path common) {
    SandboxPolicy shown = policy;
    for (String name : List.of("config", "config.worktree", LEADS_TO_COMMON, "hooks", "modules")) {
      Path path = common.resolve(name);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(path)) {
        shown = shown.reading(path);
      }
    }
    return shown;
  }

  private static void createMissing(ConfinedDirectory directory, String name, String text)
      throws IOException {
    byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
    directory.in(
        SafePath.ROOT,
        MissingDirectoryPolicy.REFUSED,
        folder -> {
          Optional<BasicFileAttributes> found = ConfinedDirectory.attributes(folder, name);
          if (found.isEmpty()) {
            FileContents.write(folder, Path.of(name), wanted);
          } else if (!found.get().isRegularFile()) {
            throw new FileSystemException(name, null, name + " is not a regular file");
          } else if (name.equals(LEADS_TO_COMMON)) {
            requireOwn(FileContents.read(folder, Path.of(name), ConfinedFiles.MAX_SIZE));
          }
          return true;
        });
  }

  private static void requireOwn(byte[] led) {
    if (!new String(led, StandardCharsets.UTF_8).strip().equals(".")) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "the repository's .git/commondir points outside the repository: git would "
              + "run hooks and filters configured there",
          "check the file, and delete the file if it is not needed");
    }
  }
}
