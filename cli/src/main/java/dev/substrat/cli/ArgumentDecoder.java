package dev.substrat.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Recovers non-ASCII arguments in a C locale.
///
/// In a C locale, common in containers and services, the JVM replaces every non-ASCII byte of the
/// arguments. On Linux the original bytes are in `/proc` and are decoded as UTF-8.
final class ArgumentDecoder {
  private static final Path BYTES = Path.of("/proc/self/cmdline");
  private static final String REPLACED = "\ufffd";

  private ArgumentDecoder() {}

  static String[] arguments(String[] seen) {
    if (!String.join("", seen).contains(REPLACED)) {
      return seen;
    }
    try {
      return recovered(seen, Files.readAllBytes(BYTES));
    } catch (IOException _) {
      return seen;
    }
  }

  /// Our arguments come last, after those of the JVM.
  static String[] recovered(String[] seen, byte[] commandLine) {
    String[] all = new String(commandLine, StandardCharsets.UTF_8).split("\0", -1);
    // Every argument is followed by a zero, so the last part is empty.
    int end = all.length - 1;
    return end < seen.length ? seen : Arrays.copyOfRange(all, end - seen.length, end);
  }
}
