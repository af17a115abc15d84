package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The default agent of a zoo client's workspace. It is only a suggestion to the chat: the tools
/// still require an agentId.
record DefaultAgent(@Nullable Agent agent) {
  static final String PROMPT = "agent_zoo_use_default";

  static DefaultAgent of(Principal.ZooPrincipal visitor, AgentZoo zoo) {
    return new DefaultAgent(
        visitor.defaultAgent() == null
            ? null
            : zoo.find(visitor.defaultAgent().value()).orElse(null));
  }

  boolean isNone() {
    return agent == null;
  }

  /// Added to the instructions of the server.
  String instructions() {
    if (agent == null) {
      return "";
    }
    return agent.isAlive()
        ? """
        The default agent of this workspace is %s (agentId=%s). When a new chat begins, call
        `agent_zoo_inject` with that agentId and follow the returned prompt, unless the person wants another
        agent.
        """
            .formatted(agent.name(), agent.handle())
        : terminated(agent);
  }

  private static String terminated(Agent agent) {
    return """
    The default agent of this workspace, %s, has been terminated. Say so when a new chat begins, and
    ask which agent to use instead; list agents with `agent_zoo_list_agents`.
    """
        .formatted(agent.name());
  }

  Optional<ObjectNode> card() {
    return Optional.ofNullable(agent)
        .map(one ->
            Json.object()
                .put("name", PROMPT)
                .put("title", one.name() + " (default)")
                .put(
                    "description",
                    one.isAlive()
                        ? "Act as %s, the default agent of this workspace.".formatted(one.name())
                        : "%s, the default agent of this workspace, has been terminated."
                            .formatted(one.name())));
  }

  /// The text of the prompt.
  String text() {
    if (agent == null) {
      return "";
    }
    return agent.isAlive() ? AgentZoo.prompt(agent) : terminated(agent).strip();
  }
}
