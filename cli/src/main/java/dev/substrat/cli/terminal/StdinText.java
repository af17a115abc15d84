package dev.substrat.cli.terminal;

import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Text from an argument, or from stdin if it is `-`.
public final class StdinText {
  private StdinText() {}

  public static String orTyped(String typed) {
    return typed.equals("-") ? read() : typed;
  }

  /// The same; a blank text is refused.
  public static String textOrStdin(String typed) {
    String all = orTyped(typed);
    if (all.isBlank()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the text is empty", "pass a text, or \"-\" to read it from stdin");
    }
    return all;
  }

  private static String read() {
    try {
      // Drops the final newline, as a shell does.
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "cannot read stdin", "pipe a text into this command", e);
    }
  }
}
