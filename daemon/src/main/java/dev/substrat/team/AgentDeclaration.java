package dev.substrat.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Tx;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Complete configuration of an agent as a person would declare it, with its handle and parent.
///
/// Works on JSON trees, so that a new key of [AgentConfig] needs no change here.
public final class AgentDeclaration {
  private AgentDeclaration() {}

  /// The declaration that leaves the agent as it is.
  public static AgentConfig of(Tx tx, Agent agent) {
    return placed(tx, agent, agent.config(), agent.handle());
  }

  /// The declaration, completed with the agent's immutable or omitted values.
  static AgentConfig completed(Tx tx, Agent agent, AgentConfig wanted) {
    requireSameParent(tx, agent, wanted.parent());
    return placed(tx, agent, wanted, wanted.handle() == null ? agent.handle() : wanted.handle());
  }

  private static AgentConfig placed(Tx tx, Agent agent, AgentConfig config, String handle) {
    ObjectNode tree = tree(config);
    tree.put("handle", handle);
    tree.remove("parent");
    if (agent.parent() != null) {
      tree.put("parent", handleOf(tx, agent.parent().value()));
    }
    return Json.as(tree, AgentConfig.class);
  }

  private static String handleOf(Tx tx, String id) {
    return AgentTree.find(tx, id).map(Agent::handle).orElse(id);
  }

  private static void requireSameParent(Tx tx, Agent agent, @Nullable String wanted) {
    if (wanted == null) {
      return;
    }
    Agent parent = AgentTree.require(tx, wanted);
    if (!parent.id().equals(agent.parent())) {
      String place = agent.parent() == null ? "no agent" : handleOf(tx, agent.parent().value());
      throw ErrorCode.INVALID_CONFIG.fault(
          "/parent cannot change: %s reports to %s".formatted(agent.handle(), place),
          "omit the key, or terminate the agent and create it under " + parent.handle());
    }
  }

  /// The keys whose values differ, in the order in which a configuration has them.
  ///
  /// Leaving a text, a list or the limits empty or a role at `worker` is the same as not mentioning
  /// it. Anything else that is written down counts, even if it happens to be today's default:
  /// tomorrow's may be another.
  public static List<String> difference(AgentConfig before, AgentConfig after) {
    ObjectNode old = meant(before);
    ObjectNode now = meant(after);
    var keys = new LinkedHashSet<String>();
    now.fieldNames().forEachRemaining(keys::add);
    old.fieldNames().forEachRemaining(keys::add);
    return keys.stream().filter(key -> !Objects.equals(old.get(key), now.get(key))).toList();
  }

  private static ObjectNode meant(AgentConfig config) {
    ObjectNode tree = tree(config);
    tree.properties().removeIf(entry -> saysNothing(entry.getKey(), entry.getValue()));
    return tree;
  }

  private static boolean saysNothing(String key, JsonNode value) {
    return switch (key) {
      case "description", "systemPrompt" -> value.asText().isEmpty();
      case "role" -> value.asText().equals("worker");
      case "limits", "skills", "categories", "contextRefs", "tools", "middleware" ->
          value.isEmpty();
      default -> false;
    };
  }

  /// Compared as text: trees from different parsers may have different types for the same number.
  private static ObjectNode tree(AgentConfig config) {
    return (ObjectNode) Json.own(Json.text(config));
  }
}
