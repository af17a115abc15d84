package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.ProtocolNegotiation.Eras;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Client of one MCP server for one principal: lists tools and calls them.
///
/// Safe for many threads: many concurrent calls, each with its own deadline. Interrupting a waiting
/// thread cancels its call.
///
/// If the server has lost the session, nothing is repeated here, because it may be another server
/// by now.
public final class McpClient implements AutoCloseable {
  private final RequestChannel conversation;
  private final ServerNotifications ears;
  private final ProtocolNegotiation greeting;
  private final boolean hasHeaders;
  private final NegotiatedProtocol accord;
  private final AtomicInteger waiting = new AtomicInteger();
  private @Nullable ToolListWatch listening;

  private McpClient(Line line, ProtocolNegotiation greeting, NegotiatedProtocol accord) {
    this.conversation = line.channel();
    this.ears = line.notifications();
    this.hasHeaders = line.hasHeaders();
    this.greeting = greeting;
    this.accord = accord;
  }

  /// Connection to a server before the handshake.
  record Line(RequestChannel channel, ServerNotifications notifications, boolean hasHeaders) {}

  /// Options of a call: progress listener, timeout, and idempotency key.
  public record Manner(RemoteProgress progress, Duration patience, @Nullable String key) {}

  static McpClient greet(
      Line line, String version, Eras eras, Runnable toolsChanged, RemoteDeadline deadline) {
    var greeting = new ProtocolNegotiation(line.channel(), version);
    NegotiatedProtocol accord = greeting.greet(eras, deadline);
    var client = new McpClient(line, greeting, accord);
    if (!accord.isModern()) {
      line.notifications().answerWith(line.channel()::answerAside);
    }
    if (accord.tellsOfTools()) {
      var wanted = client.dressed(Json.object());
      wanted.putObject("notifications").put("toolsListChanged", true);
      client.listening = new ToolListWatch(line.channel(), wanted, toolsChanged);
    }
    return client;
  }

  /// The revision that is spoken.
  public String revision() {
    return accord.revision();
  }

  /// All of the server's tools, in its order, without those that we cannot take.
  public List<ToolDefinition> listTools(Duration patience) {
    RemoteDeadline deadline = RemoteDeadline.in(patience);
    return new ToolListReader(
            params -> ask("tools/list", params, Map.of(), deadline),
            hasHeaders && accord.isModern())
        .all();
  }

  /// The tool's result: `content`, optionally `structuredContent`, and `isError` if it failed.
  public ObjectNode callTool(ToolDefinition tool, ObjectNode arguments, Manner manner) {
    RemoteDeadline deadline = RemoteDeadline.in(manner.patience());
    long token = conversation.nextId();
    var params = Json.object().put("name", tool.name());
    params.set("arguments", arguments);
    var meta = params.putObject("_meta").put("progressToken", token);
    if (manner.key() != null) {
      meta.put("substrat/idempotencyKey", manner.key());
    }
    Map<String, String> headers = HeaderMirror.headers(tool, arguments);
    ears.expect(token, manner.progress());
    waiting.incrementAndGet();
    try {
      return MultiRoundCall.run(params, round -> ask("tools/call", round, headers, deadline));
    } finally {
      waiting.decrementAndGet();
      ears.forget(token);
    }
  }

  /// Whether a call is running.
  public boolean isBusy() {
    return waiting.get() > 0;
  }

  /// Whether the server is still there. In the modern era it is asked for what it can do: nothing
  /// else is answered by all.
  public void ping(Duration patience) {
    String method = accord.isModern() ? "server/discover" : "ping";
    ask(method, Json.object(), Map.of(), RemoteDeadline.in(patience));
  }

  private ObjectNode ask(
      String method, ObjectNode params, Map<String, String> headers, RemoteDeadline deadline) {
    return conversation.ask(method, dressed(params), headers, deadline);
  }

  /// In the modern era every request names its client.
  private ObjectNode dressed(ObjectNode params) {
    if (!accord.isModern()) {
      return params;
    }
    ObjectNode dressed = params.deepCopy();
    dressed.withObjectProperty("_meta").setAll(greeting.meta());
    return dressed;
  }

  /// False once it can be asked nothing more.
  public boolean isOpen() {
    return conversation.isOpen();
  }

  @Override
  public void close() {
    if (listening != null) {
      listening.close();
    }
    conversation.close();
  }
}
