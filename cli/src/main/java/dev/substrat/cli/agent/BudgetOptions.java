package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of `agent budget`. Without options the command only shows budgets.
final class BudgetOptions {
  @Option(names = "--usd", paramLabel = "N", description = "Limit in US dollars, for example 2.5.")
  @Nullable BigDecimal usd;

  @Option(names = "--tokens", paramLabel = "N", description = "Limit in tokens.")
  @Nullable Long tokens;

  @Option(names = "--turns", paramLabel = "N", description = "Limit in turns.")
  @Nullable Long turns;

  @Option(names = "--seconds", paramLabel = "N", description = "Limit in seconds of turn time.")
  @Nullable Long seconds;

  /// Contains only the given options.
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
