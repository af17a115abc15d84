package dev.substrat.cli.shell;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What somebody wants to say: as it was typed, or from stdin if they typed a dash.
public final class StdinText {
  private StdinText() {}

  public static String orText(String typed) {
    String all = typed.equals("-") ? read() : typed;
    if (all.isBlank()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "there is nothing to send",
          "give a text, or - and something on stdin");
    }
    return all;
  }

  private static String read() {
    try {
      // As a shell does: the newline that ends the last line is not part of what was said.
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a text into this command", e);
    }
  }
}
