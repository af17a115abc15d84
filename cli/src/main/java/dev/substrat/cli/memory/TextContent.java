package dev.substrat.cli.memory;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Text argument, read from stdin if it is `-`.
final class TextContent {
  private TextContent() {}

  static String of(String typed) {
    return typed.equals("-") ? stdin() : typed;
  }

  private static String stdin() {
    try {
      // Drops the final newline, as a shell does.
      return new String(System.in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS, "cannot read stdin", "pipe a text into this command", e);
    }
  }
}
