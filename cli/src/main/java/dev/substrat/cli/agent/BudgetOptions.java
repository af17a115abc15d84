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
    JsonTree.putIfGiven(body, "usd", usd);
    JsonTree.putIfGiven(body, "tokens", tokens);
    JsonTree.putIfGiven(body, "turns", turns);
    JsonTree.putIfGiven(body, "seconds", seconds);
    return body;
  }
}
