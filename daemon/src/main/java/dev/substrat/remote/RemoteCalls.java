package dev.substrat.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.capability.McpServer;
import dev.substrat.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;
import dev.substrat.upstream.Definition;
import dev.substrat.upstream.Progress;
import dev.substrat.upstream.RemoteClient;
import dev.substrat.upstream.RemoteFailure;
import dev.substrat.upstream.RemoteFailure.Reason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// Calls of remote tools: within the time the configuration gives, and only while the tool is what
/// was approved.
final class RemoteCalls {
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_REPORTS = Duration.ofMillis(100);

  private final Links links;
  private final Records records;

  RemoteCalls(Links links, Records records) {
    this.links = links;
    this.records = records;
  }

  ToolReply call(Call call, McpServer server, Definition definition, ObjectNode arguments) {
    Agent agent = call.caller().agent();
    Duration patience =
        server.timeout() == null ? DEFAULT_PATIENCE : Duration.ofMillis(server.timeout());
    long start = System.nanoTime();
    Link.Session session = links.session(agent, server, patience);
    records.requirePinned(agent, server, definition);
    Duration left = patience.minusNanos(System.nanoTime() - start);
    var manner = new RemoteClient.Manner(reports(call), positive(left), call.idempotencyKey());
    try {
      ObjectNode result = session.client().callTool(definition, arguments, manner);
      return Results.reply(server.name(), result, session.secrets());
    } catch (RemoteFailure failure) {
      if (failure.reason() == Reason.UNREACHABLE || failure.reason() == Reason.CLOSED) {
        links.broken(agent, session, failure);
      }
      throw Links.hidden(failure.fault(server.name()), session.secrets());
    }
  }

  private static Duration positive(Duration duration) {
    return duration.isPositive() ? duration : Duration.ofMillis(1);
  }

  /// A server may report as often as it likes; it is heard now and then.
  private static Progress reports(Call call) {
    var last = new AtomicLong(System.nanoTime() - BETWEEN_REPORTS.toNanos());
    return (done, total, message) -> {
      long now = System.nanoTime();
      long before = last.get();
      if (now - before >= BETWEEN_REPORTS.toNanos() && last.compareAndSet(before, now)) {
        var status = Json.object().put("status", "working").put("progress", done);
        total.ifPresent(all -> status.put("total", all));
        call.progress().report(message.isEmpty() ? status : status.put("text", message));
      }
    };
  }
}
