package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;
import java.util.stream.Collectors;

/// Prints budgets.
final class BudgetPrinter {
  private BudgetPrinter() {}

  /// One line per budget, for a page about an agent.
  static String lines(JsonNode budgets) {
    return budgets.valueStream().map(BudgetPrinter::line).collect(Collectors.joining("\n"));
  }

  private static String line(JsonNode budget) {
    return "%s of %s %s%s"
        .formatted(
            budget.path("spent").asText(),
            budget.path("cap").asText(),
            budget.path("kind").asText(),
            budget.path("exhausted").asBoolean()
                ? ", exhausted (%s)".formatted(budget.path("agent").asText())
                : " (%s)".formatted(budget.path("agent").asText()));
  }

  static void print(JsonNode budgets, Terminal screen) {
    var table = TextTable.of("AGENT", "BUDGET", "CAP", "SPENT", "RESERVED", "LEFT", "");
    for (JsonNode budget : budgets) {
      table.row(
          budget.path("agent").asText(),
          budget.path("kind").asText(),
          budget.path("cap").asText(),
          budget.path("spent").asText(),
          budget.path("reserved").asText(),
          budget.path("left").asText(),
          budget.path("exhausted").asBoolean() ? "exhausted" : "");
    }
    table.print(screen);
  }
}
