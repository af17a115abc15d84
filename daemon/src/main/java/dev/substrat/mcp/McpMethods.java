package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.Principal;
import dev.substrat.json.Json;
import dev.substrat.message.HandOuts;
import dev.substrat.prompt.WorkingRules;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an MCP client can ask. The caller is the token's principal, whatever the message says.
public final class McpMethods {
  private static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");
  private static final String KEY = "substrat/idempotencyKey";

  private final McpCallers callers;
  private final HandOuts handOuts;
  private final String version;

  public McpMethods(McpCallers callers, HandOuts handOuts, String version) {
    this.callers = callers;
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

  /// The same word is another key for another tool.
  private static @Nullable String key(JsonNode parameters, @Nullable String header) {
    String own = parameters.path("_meta").path(KEY).asText("");
    String word = own.isEmpty() ? header : own;
    return word == null ? null : parameters.path("name").asText() + "/" + word;
  }

  private ObjectNode initialize(JsonNode parameters) {
    String wanted = parameters.path("protocolVersion").asText();
    var result =
        Json.object()
            .put("protocolVersion", VERSIONS.contains(wanted) ? wanted : VERSIONS.getFirst());
    result.putObject("capabilities").putObject("tools");
    result.putObject("serverInfo").put("name", "substrat").put("version", version);
    result.put("instructions", WorkingRules.forMindsElsewhere());
    return result;
  }

  private ObjectNode list(Principal principal) {
    var result = Json.object();
    var tools = result.putArray("tools");
    callers
        .find(principal)
        .ifPresent(actor -> actor.tools().forEach(tool -> tools.add(json(tool))));
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
    McpCallers.Actor actor =
        callers
            .find(principal)
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
    try {
      return json(
          actor.call(
              parameters.path("name").asText(),
              arguments instanceof ObjectNode object ? object : Json.object(),
              idempotencyKey));
    } catch (StaleTurn e) {
      throw new JsonRpc.Failure(
          JsonRpc.INVALID_REQUEST, "this turn is over, or its agent has ended");
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
    ObjectNode beside = answer.beside();
    if (!beside.isEmpty()) {
      content.addObject().put("type", "text").put("text", Json.text(beside));
      result.set("_meta", beside);
    }
    return result;
  }
}
