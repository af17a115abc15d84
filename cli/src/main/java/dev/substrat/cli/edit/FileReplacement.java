package dev.substrat.cli.edit;

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

/// New content for a file, made beside it and moved over it, so that no reader ever sees half.
///
/// A symbolic link stays one: what changes is the file it leads to. `model` is whose permissions
/// the new file gets; without a model, only its owner may read it.
record FileReplacement(Path model, Path file) {
  private static final int MOST_LINKS = 40;

  void write(byte[] content) throws IOException {
    write(content, () -> {});
  }

  /// `check` is the last thing that happens before the file is there.
  void write(byte[] content, Runnable check) throws IOException {
    Path target = target(file.toAbsolutePath());
    // Moving over it needs no right to write into it; whoever forbade that meant it all the same.
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

  /// Link by link, because the last one may lead to a file that is not there yet.
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
