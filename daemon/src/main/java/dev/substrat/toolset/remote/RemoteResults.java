package dev.substrat.toolset.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.transport.StdioFailureHints;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolResult;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// Converts the result of a remote tool for the agent: its structured content, else its text (as an
/// object if it is one), else all of its content.
final class RemoteResults {
  private static final int LONGEST_COMPLAINT = 2_000;

  private RemoteResults() {}

  /// Nothing of `secrets` comes back, even if the server says it.
  static ToolResult reply(McpServerConfig server, ObjectNode result, UsedSecrets secrets) {
    JsonNode safe = secrets.redact(result);
    if (safe.path("isError").asBoolean()) {
      return failed(server, text(safe));
    }
    JsonNode structured = safe.path("structuredContent");
    if (structured instanceof ObjectNode object) {
      return new ToolResult.Done(object);
    }
    if (!structured.isMissingNode() && !structured.isNull()) {
      var value = Json.object();
      value.set("value", structured);
      return new ToolResult.Done(value);
    }
    boolean isText =
        safe.path("content").valueStream().allMatch(block -> block.path("text").isTextual());
    if (isText) {
      String text = text(safe);
      return new ToolResult.Done(
          object(text, secrets).orElseGet(() -> Json.object().put("text", text)));
    }
    var content = Json.object();
    content.set("content", safe.path("content"));
    return new ToolResult.Done(content);
  }

  private static ToolResult failed(McpServerConfig server, String words) {
    boolean isProgram = server.transportOrDefault() == McpServerConfig.Transport.STDIO;
    Optional<String> limit = isProgram ? StdioFailureHints.of(words) : Optional.empty();
    String complaint =
        words.length() <= LONGEST_COMPLAINT ? words : words.substring(0, LONGEST_COMPLAINT) + "…";
    return new ToolResult.Failed(
        ErrorCode.UPSTREAM_ERROR,
        "MCP server " + server.name() + " returned an error: " + complaint,
        limit.orElse("correct the arguments, or continue without it"),
        OptionalLong.empty());
  }

  private static String text(JsonNode result) {
    return result
        .path("content")
        .valueStream()
        .map(block -> block.path("text").asText())
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("\n"));
  }

  /// As text it may have had them written in a way that only reading it undoes.
  private static Optional<ObjectNode> object(String text, UsedSecrets secrets) {
    if (!text.startsWith("{")) {
      return Optional.empty();
    }
    try {
      return secrets.redact(Json.parseLenient(text.getBytes(UTF_8))) instanceof ObjectNode object
          ? Optional.of(object)
          : Optional.empty();
    } catch (Fault notJson) {
      return Optional.empty();
    }
  }
}
