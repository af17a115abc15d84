package dev.substrat.cli.agent;

import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/// Reads an untrusted file up to a maximum size.
final class BoundedFileReader {
  private BoundedFileReader() {}

  static byte[] read(Path file, int most, OpenOption... how) {
    try (InputStream in = Files.newInputStream(file, how)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw ErrorCode.TOO_LARGE.fault(
            "%s is larger than %d KiB".formatted(file, most / 1024),
            "check the path, or split the file");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault("file not found: " + file, "check the path", e);
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot read %s: %s".formatted(file, e.getMessage()),
          "check the path and its permissions",
          e);
    }
  }
}
