package dev.substrat.cli.configedit;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.Optional;

/// A file of another program: its content when it was read, and a safe way to change it.
public final class EditableTextFile {
  private static final String MARK = "\ufeff";
  private static final byte[] NOTHING = {};

  private final Path path;
  private final boolean exists;
  private final byte[] bytes;
  private final String content;

  private EditableTextFile(Path path, boolean exists, byte[] bytes) {
    this.path = path;
    this.exists = exists;
    this.bytes = bytes;
    this.content = decoded();
  }

  /// A missing file is empty.
  public static EditableTextFile read(Path path) {
    try {
      return new EditableTextFile(path, true, Files.readAllBytes(path));
    } catch (NoSuchFileException _) {
      return new EditableTextFile(path, false, NOTHING);
    } catch (IOException e) {
      throw failed("cannot read " + path, e);
    }
  }

  private String decoded() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw ErrorCode.INVALID_CONFIG.fault(
          path + " is not UTF-8",
          "save it as UTF-8, or add the entry by hand; --print shows the entry",
          e);
    }
  }

  public Path path() {
    return path;
  }

  public boolean exists() {
    return exists;
  }

  /// The text without its byte order mark; writing restores it.
  public String text() {
    return content.startsWith(MARK) ? content.substring(1) : content;
  }

  /// Path of the backup, written before the first change.
  public Path backup() {
    return path.resolveSibling(path.getFileName() + ".substrat-backup");
  }

  /// Writes atomically, and only if the file has not changed since it was read. Returns the path of
  /// the backup if this was the first change of an existing file.
  public Optional<Path> write(String text) {
    byte[] fresh = ((content.startsWith(MARK) ? MARK : "") + text).getBytes(StandardCharsets.UTF_8);
    try {
      requireUnchanged();
      boolean keeps = exists && Files.notExists(backup());
      if (keeps) {
        new FileReplacement(path, backup()).write(bytes);
      }
      var replacement = new FileReplacement(path, path);
      replacement.write(fresh, this::requireUnchanged);
      return keeps ? Optional.of(backup()) : Optional.empty();
    } catch (IOException e) {
      throw failed("cannot write " + path, e);
    }
  }

  private void requireUnchanged() {
    EditableTextFile now = read(path);
    if (now.exists != exists || !Arrays.equals(now.bytes, bytes)) {
      throw ErrorCode.CONFLICT.fault(
          path + " was changed by another program at the same time; nothing was written",
          "check the diff and run the command again");
    }
  }

  private static Fault failed(String what, IOException e) {
    return ErrorCode.FORBIDDEN.fault(
        "%s: %s".formatted(what, e.getClass().getSimpleName().replace("Exception", "")),
        "check the file's owner and permissions, or use the other --scope",
        e);
  }

  /// Replaces a file atomically: writes a temporary file and renames it.
  ///
  /// For a symbolic link the target is replaced. The new file gets the permissions of `model`; if
  /// that does not exist, only the owner may read it.
  private record FileReplacement(Path model, Path file) {
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
        copyPermissions(draft);
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

    private void copyPermissions(Path draft) throws IOException {
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
}
