package dev.substrat.toolset.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpClient;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.RemoteProgress;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.mcp.client.transport.StdioFailureHints;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/// Executes calls of remote tools: within the configured time, and only while the tool is as
/// approved.
record RemoteCallExecutor(ServerConnections links, ServerRecords records) {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration BETWEEN_REPORTS = Duration.ofMillis(100);

  ToolResult call(
      ToolCall call, McpServerConfig server, ToolDefinition definition, ObjectNode arguments) {
    RemoteDeadline deadline =
        RemoteDeadline.in(
            server.timeout() == null ? DEFAULT_TIMEOUT : Duration.ofMillis(server.timeout()));
    var request = new CallRequest(call, server, definition, arguments);
    Agent agent = request.agent();
    ServerConnection.ServerSession session = links.session(agent, server, deadline.left());
    try {
      return ask(session, request, deadline);
    } catch (RemoteFailure failure) {
      if (failure.reason() != FailureReason.SESSION_LOST) {
        throw failed(agent, session, failure);
      }
    }
    // It may be another server now, so its tools are compared before the call is repeated.
    links.lost(agent, session);
    ServerConnection.ServerSession fresh = links.session(agent, server, deadline.left());
    try {
      return ask(fresh, request, deadline);
    } catch (RemoteFailure failure) {
      throw failed(agent, fresh, failure);
    }
  }

  /// A request to a server.
  private record CallRequest(
      ToolCall call, McpServerConfig server, ToolDefinition definition, ObjectNode arguments) {
    Agent agent() {
      return call.caller().agent();
    }
  }

  private ToolResult ask(
      ServerConnection.ServerSession session, CallRequest request, RemoteDeadline deadline) {
    records.requirePinned(request.agent(), request.server(), request.definition());
    var manner =
        new McpClient.CallOptions(
            reports(request.call(), session.secrets()),
            deadline.left(),
            request.call().idempotencyKey());
    ObjectNode result =
        request
            .call()
            .interest()
            .during(
                () -> session.client().callTool(request.definition(), request.arguments(), manner));
    return RemoteResults.reply(request.server(), result, session.secrets());
  }

  private Fault failed(Agent agent, ServerConnection.ServerSession session, RemoteFailure failure) {
    switch (failure.reason()) {
      case UNREACHABLE, NO_PROGRAM, NO_PATH, CLOSED, SESSION_LOST ->
          links.broken(agent, session, failure);
      case TIMED_OUT -> links.verifyLater(agent, session);
      case BLOCKED, PROTOCOL, REFUSED, TOO_LARGE, CANCELLED -> {
        // The server responds, and the next call may succeed.
      }
    }
    return ServerConnections.hidden(failure.fault(session.server().name()), session.secrets());
  }

  /// A server may report as often as it likes; it is heard now and then.
  private static RemoteProgress reports(ToolCall call, UsedSecrets secrets) {
    var last = new AtomicLong(System.nanoTime() - BETWEEN_REPORTS.toNanos());
    return (done, total, message) -> {
      long now = System.nanoTime();
      long before = last.get();
      if (now - before >= BETWEEN_REPORTS.toNanos() && last.compareAndSet(before, now)) {
        var status = Json.object().put("status", "working").put("progress", done);
        total.ifPresent(all -> status.put("total", all));
        call.progress()
            .report(message.isEmpty() ? status : status.put("text", secrets.redact(message)));
      }
    };
  }

  /// Converts the result of a remote tool for the agent: its structured content, else its text (as
  /// an object if it is one), else all of its content.
  private static final class RemoteResults {
    private static final int LONGEST_COMPLAINT = 2_000;

    private RemoteResults() {}

    /// `secrets` are redacted, even if the server returns them.
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
      boolean isProgram = server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO;
      Optional<String> limit = isProgram ? StdioFailureHints.of(words) : Optional.empty();
      String complaint =
          words.length() <= LONGEST_COMPLAINT ? words : words.substring(0, LONGEST_COMPLAINT) + "…";
      return new ToolResult.Failed(
          ErrorCode.UPSTREAM_ERROR,
          "MCP server " + server.name() + " returned an error: " + complaint,
          limit.orElse("correct the arguments, or continue without this tool"),
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

    /// Parsed JSON may contain secrets that were escaped in the text.
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
}
