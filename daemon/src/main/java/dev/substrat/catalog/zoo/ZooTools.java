package dev.substrat.catalog.zoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.memory.BrainEntries;
import dev.substrat.memory.BrainEntry;
import dev.substrat.memory.MemoryAuthor;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.ToolEffect;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  public static List<ZooTool> of(AgentZoo zoo, BrainEntries brain) {
    return Stream.of(BrainTools.of(zoo, brain), List.of(get(zoo), inject(zoo), list(zoo)))
        .flatMap(List::stream)
        .sorted(Comparator.comparing(ZooTool::name))
        .toList();
  }

  private static ZooTool get(AgentZoo zoo) {
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

  private static ZooTool inject(AgentZoo zoo) {
    return new ZooTool(
        "agent_zoo_inject",
        "Act as an agent",
        ToolEffect.LOOKS,
        """
        Return the system prompt and active skills of an agent. Call it when a chat begins, or when the person wants another agent; then follow the returned
        prompt. Format "structured" returns the parts separately.\
        """,
        JsonSchema.of(INJECT),
        JsonSchema.of(withAnyFormat()),
        JsonSchema.ofResult(
            AgentInjection.CompiledPrompt.class, AgentInjection.StructuredPrompt.class),
        arguments -> zoo.inject(agent(arguments), arguments.path("format").asText("compiled")));
  }

  /// The zoo itself rejects unknown formats, after it has found the agent.
  private static JsonNode withAnyFormat() {
    ObjectNode schema = INJECT.deepCopy();
    schema.withObjectProperty("properties").withObjectProperty("format").remove("enum");
    return schema;
  }

  private static ZooTool list(AgentZoo zoo) {
    return new ZooTool(
        "agent_zoo_list_agents",
        "List agents",
        ToolEffect.LOOKS,
        """
        List the agents that you can inject. Use it to find the id of the agent that the person means.\
        """,
        JsonSchema.of(NOTHING),
        JsonSchema.of(NOTHING),
        JsonSchema.ofResult(AgentZoo.AgentNameList.class),
        _ -> zoo.list());
  }

  private static String agent(ObjectNode arguments) {
    return arguments.path("agentId").asText();
  }

  /// The zoo tools for brain entries of agents.
  private record BrainTools(AgentZoo zoo, BrainEntries brain) {

    private static final int FOUND = 20;
    private static final int MOST_FOUND = 100;

    private static final JsonNode CREATE =
        input("\"agentId\", \"title\", \"content\"", "title", "content", "tags");

    private static final JsonNode UPDATE =
        input("\"agentId\", \"entryId\"", "entryId", "title", "content", "tags");

    private static final JsonNode DELETE = input("\"agentId\", \"entryId\"", "entryId");

    private static final JsonNode QUERY = input("\"agentId\"", "query", "tags", "limit");

    /// Matching entries, newest first.
    record Found(List<BrainEntry> entries) {}

    /// A deleted entry.
    record Deleted(String entryId, boolean deleted) {}

    static List<ZooTool> of(AgentZoo zoo, BrainEntries brain) {
      var tools = new BrainTools(zoo, brain);
      return List.of(tools.create(), tools.delete(), tools.query(), tools.update());
    }

    private ZooTool create() {
      return new ZooTool(
          "agent_zoo_create_brain_entry",
          "Create a brain entry",
          ToolEffect.DOES,
          """
          Create a brain entry for an agent, with a title that is new for this agent. Use it to store what
          the agent should know in other chats. Returns the entry.\
          """,
          JsonSchema.of(CREATE),
          JsonSchema.of(CREATE),
          JsonSchema.ofResult(BrainEntry.class),
          arguments ->
              brain.create(
                  agent(arguments),
                  new BrainEntries.BrainEntryDraft(
                      text(arguments, "title"), text(arguments, "content"), tags(arguments)),
                  MemoryAuthor.zooClient()));
    }

    private ZooTool update() {
      return new ZooTool(
          "agent_zoo_update_brain_entry",
          "Update a brain entry",
          ToolEffect.ENDS,
          """
          Change a brain entry; omitted arguments do not change. Returns the changed entry.\
          """,
          JsonSchema.of(UPDATE),
          JsonSchema.of(UPDATE),
          JsonSchema.ofResult(BrainEntry.class),
          arguments ->
              brain.update(
                  agent(arguments),
                  text(arguments, "entryId"),
                  new BrainEntries.BrainEntryChange(
                      orNull(arguments, "title"), orNull(arguments, "content"), tags(arguments)),
                  MemoryAuthor.zooClient()));
    }

    private ZooTool delete() {
      return new ZooTool(
          "agent_zoo_delete_brain_entry",
          "Delete a brain entry",
          ToolEffect.ENDS,
          "Delete a brain entry of an agent.",
          JsonSchema.of(DELETE),
          JsonSchema.of(DELETE),
          JsonSchema.ofResult(Deleted.class),
          arguments -> {
            String entry = text(arguments, "entryId");
            brain.delete(agent(arguments), entry, MemoryAuthor.zooClient());
            return new Deleted(entry, true);
          });
    }

    private ZooTool query() {
      return new ZooTool(
          "agent_zoo_query_brain",
          "Search brain entries",
          ToolEffect.LOOKS,
          """
          Search the brain entries of an agent. Returns entries that contain the query (ignoring case),
          newest first; without a query, all entries. If you act as an agent, call it before you say that you
          do not know something.\
          """,
          JsonSchema.of(QUERY),
          JsonSchema.of(QUERY),
          JsonSchema.ofResult(Found.class),
          arguments -> {
            List<String> tags = tags(arguments);
            return new Found(
                brain.query(
                    agent(arguments),
                    arguments.path("query").asText(""),
                    tags == null ? List.of() : tags,
                    Math.min(arguments.path("limit").asInt(FOUND), MOST_FOUND)));
          });
    }

    private String agent(ObjectNode arguments) {
      return zoo.visible(text(arguments, "agentId"));
    }

    private static String text(ObjectNode arguments, String key) {
      return arguments.path(key).asText();
    }

    private static @Nullable String orNull(ObjectNode arguments, String key) {
      return arguments.has(key) ? text(arguments, key) : null;
    }

    private static @Nullable List<String> tags(ObjectNode arguments) {
      return arguments.has("tags")
          ? arguments.path("tags").valueStream().map(JsonNode::asText).toList()
          : null;
    }

    private static JsonNode input(String required, String... keys) {
      var schema = (ObjectNode) Json.own("{\"type\": \"object\", \"properties\": {}}");
      var properties = (ObjectNode) schema.path("properties");
      properties.set("agentId", property("agentId"));
      for (String key : keys) {
        properties.set(key, property(key));
      }
      return schema.set("required", Json.own("[" + required + "]"));
    }

    private static JsonNode property(String key) {
      return Json.own(
          switch (key) {
            case "agentId" -> "{\"type\": \"string\", \"description\": \"Id of the agent.\"}";
            case "entryId" -> "{\"type\": \"string\", \"description\": \"Id of the entry.\"}";
            case "title" -> "{\"type\": \"string\", \"description\": \"Title of the entry.\"}";
            case "content" -> "{\"type\": \"string\", \"description\": \"Text of the entry.\"}";
            case "query" -> "{\"type\": \"string\", \"description\": \"Text to search for.\"}";
            case "limit" ->
                "{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 100, \"default\": "
                    + "20, \"description\": \"Maximum number of entries.\"}";
            default ->
                "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"description\": "
                    + "\"Tags. A query matches entries with all these tags.\"}";
          });
    }
  }
}
