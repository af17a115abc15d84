package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.TerminalText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Prints the agent hierarchy as a tree.
///
/// An agent whose parent is not in the list is printed as a root.
final class AgentTreePrinter {
  private static final String TOP = "";

  private final Map<String, List<JsonNode>> children = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();

  private AgentTreePrinter() {}

  static AgentTreePrinter of(JsonNode agents) {
    var tree = new AgentTreePrinter();
    Set<String> known = new HashSet<>();
    agents.forEach(agent -> known.add(agent.path("id").asText()));
    for (JsonNode agent : agents) {
      String parent = agent.path("parentId").asText(TOP);
      tree.children
          .computeIfAbsent(known.contains(parent) ? parent : TOP, _ -> new ArrayList<>())
          .add(agent);
    }
    for (JsonNode root : tree.below(TOP)) {
      tree.draw(root, "", "");
    }
    return tree;
  }

  private List<JsonNode> below(String id) {
    return children.getOrDefault(id, List.of());
  }

  private void draw(JsonNode agent, String branch, String margin) {
    lines.add(
        TerminalText.line(
            "%s%s  %s"
                .formatted(branch, agent.path("handle").asText(), AgentListPrinter.state(agent))));
    List<JsonNode> below = below(agent.path("id").asText());
    for (int i = 0; i < below.size(); i++) {
      boolean last = i == below.size() - 1;
      draw(below.get(i), margin + (last ? "└─ " : "├─ "), margin + (last ? "   " : "│  "));
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
