package dev.substrat.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// The arguments as they were typed.
///
/// In a C locale, which is what many containers and services have, the JVM replaces every byte
/// beyond ASCII before we see it. A message must not arrive like that, so where Linux still has the
/// bytes, they are read again as UTF-8.
final class TypedArguments {
  private static final Path BYTES = Path.of("/proc/self/cmdline");
  private static final String REPLACED = "\ufffd";

  private TypedArguments() {}

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

  /// Ours are the last of all; before them stand the JVM's own.
  static String[] recovered(String[] seen, byte[] commandLine) {
    String[] all = new String(commandLine, StandardCharsets.UTF_8).split("\0", -1);
    // Every argument is followed by a zero, so the last part is empty.
    int end = all.length - 1;
    return end < seen.length ? seen : Arrays.copyOfRange(all, end - seen.length, end);
  }
}
