package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Directories of this machine with programs, libraries and their settings. `covers` mask files
/// there that are not readable for all users: a sandboxed program may run as the same user as the
/// daemon.
record SystemDirectories(List<Shown> shown, List<Shown> covers, Optional<Path> nameServers) {
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
  record Shown(Path at, List<String> words) {
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
    List<Shown> shown =
        programs.stream()
            .filter(folder -> Files.exists(folder, LinkOption.NOFOLLOW_LINKS))
            .map(SystemDirectories::show)
            .toList();
    var covers = new ArrayList<Shown>();
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

  private static Shown show(Path folder) {
    try {
      return Files.isSymbolicLink(folder)
          ? new Shown(
              folder,
              List.of("--symlink", Files.readSymbolicLink(folder).toString(), folder.toString()))
          : new Shown(folder, List.of("--ro-bind", folder.toString(), folder.toString()));
    } catch (IOException e) {
      return new Shown(folder, List.of("--dir", folder.toString()));
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
}
