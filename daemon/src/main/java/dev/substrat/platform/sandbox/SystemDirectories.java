package dev.substrat.platform.sandbox;

import dev.substrat.platform.sandbox.SystemDirectories.MountedPath;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Directories of this machine with programs, libraries and their settings. `covers` mask files
/// there that are not readable for all users: a sandboxed program may run as the same user as the
/// daemon.
record SystemDirectories(
    List<MountedPath> shown, List<MountedPath> covers, Optional<Path> nameServers) {
  private static final List<Path> PROGRAMS =
      Stream.of(
              "/usr",
              "/bin",
              "/sbin",
              "/lib",
              "/lib32",
              "/lib64",
              "/libx32",
              "/opt",
              "/nix/store",
              "/etc")
          .map(Path::of)
          .toList();

  /// Directories that people put files into. All others come from packages, for all users.
  private static final List<Path> PEOPLES =
      List.of(Path.of("/etc"), Path.of("/opt"), Path.of("/usr/local"));

  private static final Path NAME_SERVERS = Path.of("/etc/resolv.conf");

  /// Arguments of bubblewrap for one path.
  record MountedPath(Path at, List<String> words) {
    boolean isThere() {
      return Files.exists(at, LinkOption.NOFOLLOW_LINKS);
    }

    boolean isMemory() {
      return words.getFirst().equals("--tmpfs");
    }
  }

  static SystemDirectories here() {
    return of(PROGRAMS, PEOPLES);
  }

  /// `programs` are visible; those of `peoples` are scanned for files to mask.
  static SystemDirectories of(List<Path> programs, List<Path> peoples) {
    List<MountedPath> shown =
        programs.stream()
            .filter(folder -> Files.exists(folder, LinkOption.NOFOLLOW_LINKS))
            .map(SystemDirectories::show)
            .toList();
    var covers = new ArrayList<MountedPath>();
    try {
      for (Path folder : peoples) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          Files.walkFileTree(folder, new PrivateFileMasks(folder, covers));
        }
      }
      return new SystemDirectories(shown, List.copyOf(covers), movedNameServers());
    } catch (IOException e) {
      throw new IllegalStateException("cannot list the system directories", e);
    }
  }

  private static MountedPath show(Path folder) {
    try {
      return Files.isSymbolicLink(folder)
          ? new MountedPath(
              folder,
              List.of("--symlink", Files.readSymbolicLink(folder).toString(), folder.toString()))
          : new MountedPath(folder, List.of("--ro-bind", folder.toString(), folder.toString()));
    } catch (IOException e) {
      return new MountedPath(folder, List.of("--dir", folder.toString()));
    }
  }

  /// Many machines keep that file in another directory that is not visible.
  private static Optional<Path> movedNameServers() throws IOException {
    return Files.isSymbolicLink(NAME_SERVERS) && Files.exists(NAME_SERVERS)
        ? Optional.of(NAME_SERVERS.toRealPath())
        : Optional.empty();
  }

  /// Whether the path is visible in every sandbox.
  boolean shows(Path path) {
    return shown.stream().anyMatch(folder -> path.startsWith(folder.at()));
  }

  /// Finds the files below a directory that are not readable for all users, to mask them in a
  /// sandbox.
  private static final class PrivateFileMasks extends SimpleFileVisitor<Path> {
    /// Bubblewrap accepts a limited number of arguments: a directory with more files to mask is
    /// masked as a whole.
    private static final int MOST = 50;

    private final Path root;
    private final List<MountedPath> covers;

    /// Number of masks before each directory on the path.
    private final Deque<Integer> before = new ArrayDeque<>();

    PrivateFileMasks(Path root, List<MountedPath> covers) {
      this.root = root;
      this.covers = covers;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      if (!isOpen(folder, PosixFilePermission.OTHERS_EXECUTE)) {
        covers.add(folder(folder));
        return FileVisitResult.SKIP_SUBTREE;
      }
      before.push(covers.size());
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!attributes.isSymbolicLink() && !isOpen(file, PosixFilePermission.OTHERS_READ)) {
        covers.add(new MountedPath(file, List.of("--ro-bind", "/dev/null", file.toString())));
      }
      return FileVisitResult.CONTINUE;
    }

    /// Not accessible for the daemon either, or already deleted.
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
      int from = before.pop();
      if (covers.size() - from > MOST && !folder.equals(root)) {
        covers.subList(from, covers.size()).clear();
        covers.add(folder(folder));
      }
      return FileVisitResult.CONTINUE;
    }

    private static MountedPath folder(Path folder) {
      return new MountedPath(folder, List.of("--tmpfs", folder.toString()));
    }

    private static boolean isOpen(Path path, PosixFilePermission needed) {
      try {
        return Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).contains(needed);
      } catch (IOException e) {
        // Masked if in doubt; a deleted file needs no mask.
        return false;
      }
    }
  }
}
