package dev.substrat.catalog.zoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.memory.BrainEntries;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.ToolEffect;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The tools of zoo clients. The schemas are exactly those that clients of AgentZoo know; unknown
/// arguments are ignored, because some clients add one to tools without arguments.
public final class ZooTools {
  private static final JsonNode INJECT =
      Json.own(
          """
          {"type": "object",
           "properties": {
             "agentId": {"type": "string", "description": "Agent ID to inject."},
             "format": {
               "type": "string",
               "enum": ["compiled", "structured"],
               "default": "compiled",
               "description": "Output format. 'compiled' = single string prompt. 'structured' = JSON \
          with systemPrompt + skills separate. Defaults to 'compiled'."}},
           "required": ["agentId"]}
          """);

  private static final JsonNode NOTHING =
      Json.own("{\"type\": \"object\", \"properties\": {}, \"required\": []}");

  private static final JsonNode GET =
      Json.own(
          """
          {"type": "object",
           "properties": {
             "agentId": {"type": "string", "description": "Agent ID to retrieve."}},
           "required": ["agentId"]}
          """);

  private ZooTools() {}

  /// In a stable order.
  public static List<ZooTool> of(Zoo zoo, BrainEntries brain) {
    return Stream.of(BrainTools.of(zoo, brain), List.of(get(zoo), inject(zoo), list(zoo)))
        .flatMap(List::stream)
        .sorted(Comparator.comparing(ZooTool::name))
        .toList();
  }

  private static ZooTool get(Zoo zoo) {
    return new ZooTool(
        "agent_zoo_get_agent",
        "Get an agent",
        ToolEffect.LOOKS,
        """
        Return the configuration of an agent, without its secrets. To act as the agent, use
        agent_zoo_inject instead.\
        """,
        JsonSchema.of(GET),
        JsonSchema.of(GET),
        JsonSchema.ofResult(ZooAgent.class),
        arguments -> zoo.show(agent(arguments)));
  }

  private static ZooTool inject(Zoo zoo) {
    return new ZooTool(
        "agent_zoo_inject",
        "Act as an agent",
        ToolEffect.LOOKS,
        """
        Return the system prompt and active skills of an agent. Use it when a chat begins, or when the
        person wants another agent, and follow the returned prompt from then on. Format "structured"
        returns the parts separately, to show them.\
        """,
        JsonSchema.of(INJECT),
        JsonSchema.of(withAnyFormat()),
        JsonSchema.ofResult(AgentInjection.Compiled.class, AgentInjection.Structured.class),
        arguments -> zoo.inject(agent(arguments), arguments.path("format").asText("compiled")));
  }

  /// The zoo itself rejects unknown formats, after it has found the agent.
  private static JsonNode withAnyFormat() {
    ObjectNode schema = INJECT.deepCopy();
    schema.withObjectProperty("properties").withObjectProperty("format").remove("enum");
    return schema;
  }

  private static ZooTool list(Zoo zoo) {
    return new ZooTool(
        "agent_zoo_list_agents",
        "List agents",
        ToolEffect.LOOKS,
        """
        List the agents that you can inject. Use it to find the id of the agent that the person means.\
        """,
        JsonSchema.of(NOTHING),
        JsonSchema.of(NOTHING),
        JsonSchema.ofResult(Zoo.AgentNames.class),
        _ -> zoo.list());
  }

  private static String agent(ObjectNode arguments) {
    return arguments.path("agentId").asText();
  }
}
