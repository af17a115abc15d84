package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;

/// Prints agents as a table.
final class AgentListPrinter {
  private AgentListPrinter() {}

  static void print(JsonNode agents, Terminal screen) {
    var table = TextTable.of("AGENT", "STATE", "PROVIDER", "WAITING", "CREATED", "NAME");
    for (JsonNode agent : agents) {
      table.row(
          agent.path("handle").asText(),
          state(agent),
          agent.path("provider").path("name").asText(),
          agent.path("pendingCount").asText(),
          RelativeTime.time(agent.path("createdAt")),
          agent.path("name").asText());
    }
    table.print(screen);
  }

  private static String executing(int calls) {
    return calls == 0 ? "" : ", executing %d call%s".formatted(calls, calls == 1 ? "" : "s");
  }

  /// Status, or what blocks the agent: an agent without budget, or with a call that the daemon
  /// executes, is not idle.
  static String state(JsonNode agent) {
    JsonNode condition = agent.path("condition");
    return (condition.isMissingNode() ? olderState(agent) : AgentConditionText.label(condition))
        + executing(agent.path("executing").size());
  }

  /// For daemons of older versions, which do not report the condition.
  private static String olderState(JsonNode agent) {
    boolean stopped = agent.path("stateReason").asText("").startsWith("BUDGET_EXHAUSTED");
    String more =
        stopped
            ? ", out of budget"
            : agent.hasNonNull("nextTryAt")
                ? ", next attempt at " + RelativeTime.time(agent.path("nextTryAt"))
                : "";
    return agent.path("state").asText() + more;
  }
}
