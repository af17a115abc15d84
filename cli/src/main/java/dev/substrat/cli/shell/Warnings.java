package dev.substrat.cli.shell;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;

/// What the daemon has taken and may be wrong all the same.
public final class Warnings {
  private Warnings() {}

  /// Of one of its replies.
  public static Stream<String> of(JsonNode reply) {
    return reply.path("warnings").valueStream().map(JsonNode::asText);
  }

  public static void tell(Terminal screen, String warning) {
    screen.note("warning: " + TerminalText.line(warning));
  }
}
