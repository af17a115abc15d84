package dev.substrat.cli.terminal;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Message text from an argument, or from stdin if it is `-`.
public final class StdinText {
  private StdinText() {}

  public static String textOrStdin(String typed) {
    String all = typed.equals("-") ? read() : typed;
    if (all.isBlank()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "the text is empty",
          "pass a text, or - to read it from stdin");
    }
    return all;
  }

  private static String read() {
    try {
      // Drops the final newline, as a shell does.
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a text into this command", e);
    }
  }
}
