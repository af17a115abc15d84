package dev.substrat.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;

/// Warnings in the daemon's responses.
public final class WarningPrinter {
  private WarningPrinter() {}

  /// The warnings of a response.
  public static Stream<String> of(JsonNode reply) {
    return reply.path("warnings").valueStream().map(JsonNode::asText);
  }

  public static void print(Terminal screen, String warning) {
    screen.note("warning: " + TerminalText.line(warning));
  }
}
