package dev.substrat.platform.sandbox;

import dev.substrat.platform.sandbox.SystemDirectories.Shown;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the files below a directory that are not readable for all users, to mask them in a
/// sandbox.
final class PrivateFileMasks extends SimpleFileVisitor<Path> {
  /// Bubblewrap accepts a limited number of arguments: a directory with more files to mask is
  /// masked as a whole.
  private static final int MOST = 50;

  private final Path root;
  private final List<Shown> covers;

  /// Number of masks before each directory on the path.
  private final Deque<Integer> before = new ArrayDeque<>();

  PrivateFileMasks(Path root, List<Shown> covers) {
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
      covers.add(new Shown(file, List.of("--ro-bind", "/dev/null", file.toString())));
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

  private static Shown folder(Path folder) {
    return new Shown(folder, List.of("--tmpfs", folder.toString()));
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
