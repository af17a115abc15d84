package dev.substrat.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Where this machine keeps its programs, their libraries and their settings; without what not
/// everybody may read, because a daemon of the root user could.
record SystemFolders(List<Shown> shown, Optional<Path> nameServers) {
  private static final List<String> PROGRAMS =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store");

  private static final Path SETTINGS = Path.of("/etc");
  private static final Path NAME_SERVERS = Path.of("/etc/resolv.conf");

  /// What bubblewrap is told about one place.
  record Shown(Path at, List<String> words) {}

  static SystemFolders here() {
    var shown = new ArrayList<Shown>();
    Stream.concat(PROGRAMS.stream().map(Path::of), Stream.of(SETTINGS))
        .filter(folder -> Files.exists(folder, LinkOption.NOFOLLOW_LINKS))
        .map(SystemFolders::show)
        .forEach(shown::add);
    try {
      Files.walkFileTree(SETTINGS, new Secrets(shown));
      return new SystemFolders(List.copyOf(shown), movedNameServers());
    } catch (IOException e) {
      throw new IllegalStateException("the settings of this machine cannot be looked at", e);
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

  /// Many machines keep that file elsewhere, where nothing else is shown.
  private static Optional<Path> movedNameServers() throws IOException {
    return Files.isSymbolicLink(NAME_SERVERS) && Files.exists(NAME_SERVERS)
        ? Optional.of(NAME_SERVERS.toRealPath())
        : Optional.empty();
  }

  /// Covers what not everybody may read.
  private static final class Secrets extends SimpleFileVisitor<Path> {
    private final List<Shown> shown;

    Secrets(List<Shown> shown) {
      this.shown = shown;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      if (isOpen(folder, PosixFilePermission.OTHERS_EXECUTE)) {
        return FileVisitResult.CONTINUE;
      }
      shown.add(new Shown(folder, List.of("--tmpfs", folder.toString())));
      return FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile() && !isOpen(file, PosixFilePermission.OTHERS_READ)) {
        shown.add(new Shown(file, List.of("--ro-bind", "/dev/null", file.toString())));
      }
      return FileVisitResult.CONTINUE;
    }

    /// Somebody else's, and closed to us as well.
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    private static boolean isOpen(Path path, PosixFilePermission needed) throws IOException {
      Set<PosixFilePermission> rights =
          Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
      return rights.contains(needed);
    }
  }
}
