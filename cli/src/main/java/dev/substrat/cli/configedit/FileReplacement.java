package dev.substrat.cli.configedit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/// Replaces a file atomically: writes a temporary file and renames it.
///
/// For a symbolic link the target is replaced. The new file gets the permissions of `model`; if
/// that does not exist, only the owner may read it.
record FileReplacement(Path model, Path file) {
  private static final int MOST_LINKS = 40;

  void write(byte[] content) throws IOException {
    write(content, () -> {});
  }

  /// `check` runs immediately before the rename.
  void write(byte[] content, Runnable check) throws IOException {
    Path target = target(file.toAbsolutePath());
    // A rename ignores the write permission of the file, so it is checked here.
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new AccessDeniedException(target.toString());
    }
    Path folder = target.resolveSibling("");
    Files.createDirectories(folder);
    Path draft = Files.createTempFile(folder, ".substrat-", ".tmp");
    try {
      try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        var rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      }
      resemble(draft);
      check.run();
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /// Follows links one by one, because the last target may not exist yet.
  private static Path target(Path start) throws IOException {
    Path path = start;
    for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(path); i++) {
      path = path.resolveSibling("").toRealPath().resolve(Files.readSymbolicLink(path));
    }
    return path;
  }

  private void resemble(Path draft) throws IOException {
    var view = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
    if (view == null || Files.notExists(model)) {
      return;
    }
    PosixFileAttributes wanted = Files.readAttributes(model, PosixFileAttributes.class);
    PosixFileAttributes present = view.readAttributes();
    if (!present.group().equals(wanted.group())) {
      view.setGroup(wanted.group());
    }
    if (!present.owner().equals(wanted.owner())) {
      view.setOwner(wanted.owner());
    }
    view.setPermissions(wanted.permissions());
  }
}
