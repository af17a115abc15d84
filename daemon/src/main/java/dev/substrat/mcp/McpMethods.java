package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.id.Principal;
import dev.substrat.json.Json;
import dev.substrat.message.HandOuts;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.InboxNews;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;
import dev.substrat.turn.ExternalRuns;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What an MCP client can ask. The caller is the token's principal, whatever the message says.
public final class McpMethods {
  private static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");
  private static final String KEY = "substrat/idempotencyKey";

  private final Toolbox toolbox;
  private final Agents agents;
  private final ExternalRuns runs;
  private final HandOuts handOuts;
  private final String version;

  public McpMethods(
      Toolbox toolbox, Agents agents, ExternalRuns runs, HandOuts handOuts, String version) {
    this.toolbox = toolbox;
    this.agents = agents;
    this.runs = runs;
    this.handOuts = handOuts;
    this.version = version;
  }

  ObjectNode call(Principal principal, ObjectNode request, @Nullable String header) {
    JsonNode parameters = request.path("params");
    String idempotencyKey = key(parameters, header);
    if (principal instanceof Principal.OfAgent one) {
      handOuts.cameBack(one.agent(), idempotencyKey);
    }
    return switch (request.path("method").asText()) {
      case "initialize" -> initialize(parameters);
      case "ping" -> Json.object();
      case "tools/list" -> list(principal);
      case "tools/call" -> call(principal, parameters, idempotencyKey);
      default ->
          throw new JsonRpc.Failure(
              JsonRpc.METHOD_NOT_FOUND, "there is no method " + request.path("method").asText());
    };
  }

  private static @Nullable String key(JsonNode parameters, @Nullable String header) {
    String own = parameters.path("_meta").path(KEY).asText("");
    return own.isEmpty() ? header : own;
  }

  private ObjectNode initialize(JsonNode parameters) {
    String wanted = parameters.path("protocolVersion").asText();
    var result =
        Json.object()
            .put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSIONS.getFirst());
    result.putObject("capabilities").putObject("tools");
    result.putObject("serverInfo").put("name", "substrat").put("version", version);
    result.put(
        "instructions",
        "Tool calls return at once with a status. Replies to messages you asked for arrive later, as"
            + " your next message or in check_inbox. Never loop or poll for them.");
    return result;
  }

  private ObjectNode list(Principal principal) {
    var result = Json.object();
    var tools = result.putArray("tools");
    caller(principal)
        .ifPresent(caller -> toolbox.of(caller).forEach(tool -> tools.add(json(tool))));
    return result;
  }

  private static ObjectNode json(Tool tool) {
    var json = Json.object().put("name", tool.name()).put("description", tool.description());
    json.set("inputSchema", tool.input().json());
    json.putObject("annotations").put("readOnlyHint", tool.isReadOnly());
    return json;
  }

  private ObjectNode call(
      Principal principal, JsonNode parameters, @Nullable String idempotencyKey) {
    Caller caller =
        caller(principal)
            .orElseThrow(() ->
                new JsonRpc.Failure(
                    JsonRpc.INVALID_PARAMS, "the operator has no tools; use an agent's token"));
    if (!parameters.path("name").isTextual()) {
      throw new JsonRpc.Failure(JsonRpc.INVALID_PARAMS, "/params/name is missing");
    }
    JsonNode arguments = parameters.path("arguments");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw new JsonRpc.Failure(JsonRpc.INVALID_PARAMS, "/params/arguments must be an object");
    }
    var call = new Call(caller, MessageId.random().value(), idempotencyKey);
    try {
      return json(
          toolbox.call(
              call,
              parameters.path("name").asText(),
              arguments instanceof ObjectNode object ? object : Json.object()));
    } catch (StaleTurn e) {
      throw new JsonRpc.Failure(JsonRpc.INVALID_REQUEST, "this agent has ended");
    }
  }

  /// The first block and the structured content are exactly the tool's object; what else there is
  /// to say stands beside it.
  private static ObjectNode json(Toolbox.Answer answer) {
    ToolReply reply = answer.reply();
    var result = Json.object();
    var content = result.putArray("content");
    content.addObject().put("type", "text").put("text", Json.text(reply.json()));
    result.set("structuredContent", reply.json());
    result.put("isError", reply instanceof ToolReply.Failed);
    var beside = Json.object();
    if (reply instanceof ToolReply.Done done && done.hint() != null) {
      beside.put("hint", done.hint());
    }
    InboxNews news = answer.news();
    if (!news.isEmpty()) {
      beside.set("inbox", news.json());
    }
    if (!beside.isEmpty()) {
      content.addObject().put("type", "text").put("text", Json.text(beside));
      result.set("_meta", beside);
    }
    return result;
  }

  private Optional<Caller> caller(Principal principal) {
    return switch (principal) {
      case Principal.Operator _ -> Optional.empty();
      case Principal.OfAgent one -> Optional.of(caller(agents.require(one.agent().value())));
    };
  }

  /// The daemon runs the turns of all others; a second mind beside them would read their mail.
  private Caller caller(Agent agent) {
    AgentConfig.Mind mind = agent.config().provider();
    if (mind == null || !mind.name().equals(ExternalProvider.NAME)) {
      throw new JsonRpc.Failure(
          JsonRpc.INVALID_REQUEST,
          agent.name() + " is run by the daemon; only external agents act through MCP themselves");
    }
    return runs.caller(agent);
  }
}
