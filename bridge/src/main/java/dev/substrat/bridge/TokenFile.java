package dev.substrat.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Reads and writes token files, which only their owner may read.
final class TokenFile {
  private static final int OTHERS = 0077;

  private TokenFile() {}

  /// Empty if the file does not exist.
  static Optional<String> read(Path file) {
    try {
      int mode = (Integer) Files.getAttribute(file, "unix:mode");
      if ((mode & OTHERS) != 0) {
        throw new BridgeError(
            "FORBIDDEN",
            "other users can read the token in " + file,
            "run: chmod 600 " + file + "; if the token may have been read, create a new one");
      }
      return Optional.of(checked(Files.readString(file).strip(), file.toString()));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new BridgeError("FORBIDDEN", "cannot read " + file, "check its owner and permissions");
    }
  }

  /// Writes atomically; the file is never readable by other users.
  static void write(Path file, String token) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder, permissions("rwx------"));
      Path fresh = Files.createTempFile(folder, "token", ".tmp", permissions("rw-------"));
      Files.writeString(fresh, token + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new BridgeError(
          "FORBIDDEN", "cannot write " + file, "check the permissions of " + folder);
    }
  }

  private static FileAttribute<?> permissions(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }

  /// Rejects text that is not a single word: it would break a header. The message does not include
  /// it, because it may be a secret.
  static String checked(String token, String source) {
    if (!RequestHead.isPlain(token) || token.indexOf(' ') >= 0) {
      throw new BridgeError(
          "UNAUTHORIZED", "no valid token in " + source, "it must contain only the token");
    }
    return token;
  }
}
