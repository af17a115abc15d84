package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.InlinePolicy;

/// A tool executed by a remote server. Its description is the approved one.
final class RemoteTool implements Tool {
  /// More would leave a model too little context for its work.
  private static final int MAX_DESCRIPTION_LENGTH = 4_000;

  private static final JsonSchema ANYTHING = JsonSchema.of(Json.object().put("type", "object"));

  private final String name;
  private final McpServerConfig server;
  private final ToolDefinition definition;
  private final JsonSchema input;
  private final RemoteCallExecutor calls;

  RemoteTool(
      String name, McpServerConfig server, ToolDefinition definition, RemoteCallExecutor calls) {
    this.name = name;
    this.server = server;
    this.definition = definition;
    this.calls = calls;
    this.input = JsonSchema.displayOnly(object(definition.inputSchema()));
  }

  private static JsonNode object(JsonNode schema) {
    return ((ObjectNode) schema).deepCopy().put("type", "object");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    JsonNode title = definition.json().path("title");
    return title.isTextual() && !title.asText().isBlank() ? title.asText() : Tool.super.title();
  }

  @Override
  public String description() {
    String own = definition.description();
    String cut =
        own.length() <= MAX_DESCRIPTION_LENGTH
            ? own
            : own.substring(0, MAX_DESCRIPTION_LENGTH) + "…";
    String source = "(Tool of the MCP server " + server.name() + ".)";
    return cut.isBlank() ? source : cut + "\n" + source;
  }

  @Override
  public String server() {
    return server.name();
  }

  @Override
  public JsonSchema input() {
    return input;
  }

  @Override
  public JsonSchema output() {
    return ANYTHING;
  }

  /// As the server declares it; this may be wrong.
  @Override
  public ToolEffect effect() {
    JsonNode hints = definition.annotations();
    if (hints.path("readOnlyHint").asBoolean(false)) {
      return ToolEffect.LOOKS;
    }
    boolean isIdempotent = hints.path("idempotentHint").asBoolean(false);
    if (hints.path("destructiveHint").asBoolean(true)) {
      return isIdempotent ? ToolEffect.ENDS : ToolEffect.CHANGES;
    }
    return isIdempotent ? ToolEffect.SETS : ToolEffect.DOES;
  }

  @Override
  public boolean isOpenWorld() {
    return true;
  }

  @Override
  public boolean isShown() {
    return server.shows(definition.name());
  }

  @Override
  public InlinePolicy deferral() {
    return new InlinePolicy(server.inlineSeconds(), effect().isIdempotent());
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return calls.call(call, server, definition, arguments);
  }
}
