package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.JsonTree;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What `agent budget` is told to set; nothing at all means that it only shows.
final class BudgetOptions {
  @Option(names = "--usd", paramLabel = "N", description = "US dollars in all, for example 2.5.")
  @Nullable BigDecimal usd;

  @Option(names = "--tokens", paramLabel = "N", description = "Tokens in all.")
  @Nullable Long tokens;

  @Option(names = "--turns", paramLabel = "N", description = "Turns in all.")
  @Nullable Long turns;

  @Option(names = "--seconds", paramLabel = "N", description = "Seconds of turns in all.")
  @Nullable Long seconds;

  /// Only what was typed.
  ObjectNode body() {
    ObjectNode body = JsonTree.object();
    if (usd != null) {
      body.put("usd", usd);
    }
    put(body, "tokens", tokens);
    put(body, "turns", turns);
    put(body, "seconds", seconds);
    return body;
  }

  private static void put(ObjectNode body, String key, @Nullable Long value) {
    if (value != null) {
      body.put(key, value);
    }
  }
}
