package dev.substrat.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// A file with a secret in it, which only its owner may read.
final class TokenFile {
  private static final int OTHERS = 0077;

  private TokenFile() {}

  /// Empty if there is no such file.
  static Optional<String> read(Path file) {
    try {
      int mode = (Integer) Files.getAttribute(file, "unix:mode");
      if ((mode & OTHERS) != 0) {
        throw new BridgeError(
            "FORBIDDEN",
            "others may read the token in " + file,
            "chmod 600 " + file + ", and make a new token if somebody might have read this one");
      }
      return Optional.of(checked(Files.readString(file).strip(), file.toString()));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new BridgeError("FORBIDDEN", "cannot read " + file, "check its owner and permissions");
    }
  }

  /// Whole or not at all, and never readable by others, not even for a moment.
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

  /// What is not one plain word is no token, and would break a header. It is not repeated: it may
  /// be somebody's secret all the same.
  static String checked(String token, String source) {
    if (!RequestHead.isPlain(token) || token.indexOf(' ') >= 0) {
      throw new BridgeError(
          "UNAUTHORIZED", "there is no token in " + source, "it has to be one word and no more");
    }
    return token;
  }
}
