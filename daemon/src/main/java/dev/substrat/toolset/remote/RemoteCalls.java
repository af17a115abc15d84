package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpClient;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.Reason;
import dev.substrat.mcp.client.RemoteProgress;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Executes calls of remote tools: within the configured time, and only while the tool is as
/// approved.
final class RemoteCalls {
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_REPORTS = Duration.ofMillis(100);

  private final ServerConnections links;
  private final ServerRecords records;

  RemoteCalls(ServerConnections links, ServerRecords records) {
    this.links = links;
    this.records = records;
  }

  ToolResult call(
      ToolCall call, McpServerConfig server, ToolDefinition definition, ObjectNode arguments) {
    RemoteDeadline deadline =
        RemoteDeadline.in(
            server.timeout() == null ? DEFAULT_PATIENCE : Duration.ofMillis(server.timeout()));
    var wish = new CallRequest(call, server, definition, arguments);
    Agent agent = wish.agent();
    ServerConnection.Session session = links.session(agent, server, deadline.left());
    try {
      return ask(session, wish, deadline);
    } catch (RemoteFailure failure) {
      if (failure.reason() != Reason.SESSION_LOST) {
        throw failed(agent, session, failure);
      }
    }
    // It may be another server by now, so it is looked at before it is asked again.
    links.lost(agent, session);
    ServerConnection.Session fresh = links.session(agent, server, deadline.left());
    try {
      return ask(fresh, wish, deadline);
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
      ServerConnection.Session session, CallRequest wish, RemoteDeadline deadline) {
    records.requirePinned(wish.agent(), wish.server(), wish.definition());
    var manner =
        new McpClient.Manner(
            reports(wish.call(), session.secrets()), deadline.left(), wish.call().idempotencyKey());
    ObjectNode result =
        wish.call()
            .interest()
            .during(() -> session.client().callTool(wish.definition(), wish.arguments(), manner));
    return RemoteResults.reply(wish.server(), result, session.secrets());
  }

  private Fault failed(Agent agent, ServerConnection.Session session, RemoteFailure failure) {
    switch (failure.reason()) {
      case UNREACHABLE, NO_PROGRAM, NO_PATH, CLOSED, SESSION_LOST ->
          links.broken(agent, session, failure);
      case TIMED_OUT -> links.verifyLater(agent, session);
      case BLOCKED, PROTOCOL, REFUSED, TOO_LARGE, CANCELLED -> {
        // It is there, and the next call may go well.
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
}
