package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SharedFileOwnership;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Reads and writes whole files in a directory that was opened safely.
final class FileContents {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> WRITE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);

  private FileContents() {}

  /// Only regular files are opened: reading a pipe would block, and a device may have side effects.
  static void requireFile(SafePath path, Optional<BasicFileAttributes> found) {
    if (found.isPresent() && !found.get().isRegularFile()) {
      throw ErrorCode.PATH_BLOCKED.fault(
          path + (found.get().isDirectory() ? " is a directory" : " is not a regular file"),
          "list files with list_files");
    }
  }

  static byte[] read(SecureDirectoryStream<Path> folder, Path name, int most) throws IOException {
    try (SeekableByteChannel channel = folder.newByteChannel(name, READ)) {
      if (channel.size() > most) {
        throw ErrorCode.TOO_LARGE.fault(
            name + " has " + channel.size() + " bytes; the maximum is " + most,
            "use a command that reads only a part of the file");
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Read until the buffer is full, or the file has become shorter.
      }
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      return bytes;
    }
  }

  /// Atomic: concurrent readers see the old or the new file. The executable bit is kept.
  static void write(SecureDirectoryStream<Path> folder, Path name, byte[] bytes)
      throws IOException {
    Path fresh = Path.of(".substrat-" + UUID.randomUUID());
    try {
      try (SeekableByteChannel channel = folder.newByteChannel(fresh, WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
      SharedFileOwnership.inherit(folder, fresh);
      if (ConfinedDirectory.attributes(folder, name.toString()).isPresent()) {
        rights(folder, fresh).setPermissions(rights(folder, name).readAttributes().permissions());
      }
      folder.move(fresh, folder, name);
    } catch (IOException e) {
      if (ConfinedDirectory.attributes(folder, fresh.toString()).isPresent()) {
        folder.deleteFile(fresh);
      }
      throw e;
    }
  }

  private static PosixFileAttributeView rights(SecureDirectoryStream<Path> folder, Path name) {
    return folder.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// The bytes as text, if they are valid text.
  static Optional<String> text(byte[] bytes) {
    for (byte one : bytes) {
      if (one == 0) {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
