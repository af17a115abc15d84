package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Terminates an agent and its descendants. Asks for confirmation on a terminal if the agent has
/// descendants.
final class TerminateAction {
  private static final int MAX_NAMES = 8;

  private final RootCommand shell;
  private final String typed;
  private final List<String> below = new ArrayList<>();

  TerminateAction(RootCommand shell, String typed) {
    this.shell = shell;
    this.typed = typed;
    JsonNode agents = shell.daemon().read("/api/agents").path("agents");
    if (!addDescendantsOf(agents, agent -> isAddress(agent, typed))) {
      addDescendantsOf(agents, agent -> agent.path("name").asText().equalsIgnoreCase(typed));
    }
  }

  private static boolean isAddress(JsonNode agent, String typed) {
    return typed.equals(agent.path("handle").asText()) || typed.equals(agent.path("id").asText());
  }

  /// True if such agents exist. If several share a name, the daemon rejects the request.
  private boolean addDescendantsOf(JsonNode agents, Predicate<JsonNode> isWanted) {
    List<JsonNode> found = agents.valueStream().filter(isWanted).toList();
    found.forEach(agent -> addDescendants(agent, agents));
    return !found.isEmpty();
  }

  private void addDescendants(JsonNode parent, JsonNode agents) {
    for (JsonNode agent : agents) {
      if (agent.path("parentId").equals(parent.path("id"))) {
        below.add(agent.path("handle").asText());
        addDescendants(agent, agents);
      }
    }
  }

  void run(boolean yes) {
    boolean asks = !yes && !below.isEmpty() && shell.terminal().canAsk() && !shell.wantsJson();
    if (asks
        && !shell
            .terminal()
            .confirm("Terminate %s%s?".formatted(TerminalText.line(typed), others()))) {
      shell.note("nothing changed");
      return;
    }
    shell.daemon().delete(DaemonClient.path("/api/agents/", typed));
    if (shell.wantsJson()) {
      var json = JsonTree.object().put("terminated", typed);
      below.forEach(json.putArray("below")::add);
      shell.terminal().json(json);
    } else {
      shell.line("terminated " + TerminalText.line(typed) + others());
    }
  }

  private String others() {
    if (below.isEmpty()) {
      return "";
    }
    String names = String.join(", ", below.subList(0, Math.min(MAX_NAMES, below.size())));
    return " and the %d below it (%s%s)"
        .formatted(below.size(), TerminalText.line(names), below.size() > MAX_NAMES ? ", …" : "");
  }
}
