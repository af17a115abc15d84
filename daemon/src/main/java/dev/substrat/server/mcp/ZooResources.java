package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// MCP prompts and resources of the zoo: each agent as a prompt and as a text, in its current
/// state.
record ZooResources(AgentZoo zoo) {

  static final String URI = "agent-zoo://agents/";
  static final String TEMPLATE = URI + "{id}";

  private static final String USE = "agent_zoo_use_";

  List<ObjectNode> prompts(DefaultAgent standard) {
    return Stream.concat(
            standard.card().stream(),
            zoo.all().stream()
                // An agent may be called "default"; the default agent has precedence.
                .filter(agent -> standard.isNone() || !name(agent).equals(DefaultAgent.PROMPT))
                .map(agent ->
                    Json.object()
                        .put("name", name(agent))
                        .put("title", agent.name())
                        .put("description", about(agent))))
        .toList();
  }

  private static String name(Agent agent) {
    return USE + agent.handle();
  }

  private static String about(Agent agent) {
    String own = agent.config().description();
    return own == null || own.isBlank() ? "Become " + agent.name() + "." : own.strip();
  }

  ObjectNode prompt(String name, DefaultAgent standard) {
    String text =
        name.equals(DefaultAgent.PROMPT) && !standard.isNone()
            ? standard.text()
            : living(name, USE)
                .map(AgentZoo::prompt)
                .orElseThrow(() -> ProtocolError.badParams("unknown prompt " + name));
    var result = Json.object();
    var message = result.putArray("messages").addObject().put("role", "user");
    message.putObject("content").put("type", "text").put("text", text);
    return result;
  }

  List<ObjectNode> resources() {
    return zoo.all().stream()
        .map(agent ->
            Json.object()
                .put("uri", URI + agent.handle())
                .put("name", agent.handle())
                .put("title", agent.name())
                .put("description", about(agent))
                .put("mimeType", "text/markdown"))
        .toList();
  }

  static List<ObjectNode> templates() {
    return List.of(
        Json.object()
            .put("uriTemplate", TEMPLATE)
            .put("name", "agent")
            .put("description", "System prompt of the agent.")
            .put("mimeType", "text/markdown"));
  }

  /// Whether the URI names an agent, terminated or not.
  boolean has(String uri) {
    return uri.startsWith(URI) && zoo.find(uri.substring(URI.length())).isPresent();
  }

  Optional<ObjectNode> read(String uri) {
    return living(uri, URI).map(agent -> contents(uri, AgentZoo.prompt(agent)));
  }

  private static ObjectNode contents(String uri, String text) {
    var result = Json.object();
    result
        .putArray("contents")
        .addObject()
        .put("uri", uri)
        .put("mimeType", "text/markdown")
        .put("text", text);
    return result;
  }

  /// Ids that start with `beginning`.
  List<String> ids(String beginning) {
    return zoo.all().stream().map(Agent::handle).filter(id -> id.startsWith(beginning)).toList();
  }

  private Optional<Agent> living(String word, String prefix) {
    return word.startsWith(prefix)
        ? zoo.find(word.substring(prefix.length())).filter(Agent::isAlive)
        : Optional.empty();
  }
}
