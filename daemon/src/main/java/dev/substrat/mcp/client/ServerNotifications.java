package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Handler of server messages that are not responses.
///
/// Requests from a server (elicitation, sampling, roots) are rejected, so that it need not wait.
///
/// Safe for many threads: a stream per request, and one beside them.
final class ServerNotifications {
  private static final int METHOD_NOT_FOUND = -32601;

  private final Runnable toolsChanged;
  private final Map<Long, RemoteProgress> calls = new ConcurrentHashMap<>();
  private volatile Consumer<ObjectNode> mouth = _ -> {};

  ServerNotifications(Runnable toolsChanged) {
    this.toolsChanged = toolsChanged;
  }

  /// Receiver of rejections.
  void answerWith(Consumer<ObjectNode> newMouth) {
    mouth = newMouth;
  }

  /// Progress of the call with this token goes to `progress` until it is removed.
  void expect(long token, RemoteProgress progress) {
    calls.put(token, progress);
  }

  void forget(long token) {
    calls.remove(token);
  }

  void handle(JsonNode message) {
    String method = message.path("method").asText();
    JsonNode id = message.path("id");
    if (id.isTextual() || id.isIntegralNumber()) {
      mouth.accept(answer(id, method));
    } else if (method.equals("notifications/progress")) {
      report(message.path("params"));
    } else if (method.equals("notifications/tools/list_changed")) {
      toolsChanged.run();
    }
  }

  private static ObjectNode answer(JsonNode id, String method) {
    return method.equals("ping")
        ? JsonRpc.result(id, Json.object())
        : JsonRpc.error(
            id,
            Json.object()
                .put("code", METHOD_NOT_FOUND)
                .put("message", "server requests are not supported"));
  }

  private void report(JsonNode params) {
    JsonNode token = params.path("progressToken");
    RemoteProgress progress = token.isIntegralNumber() ? calls.get(token.asLong()) : null;
    if (progress != null && params.path("progress").isNumber()) {
      JsonNode total = params.path("total");
      try {
        progress.report(
            params.path("progress").asDouble(),
            total.isNumber() ? OptionalDouble.of(total.asDouble()) : OptionalDouble.empty(),
            RemoteFailure.shortened(params.path("message").asText()));
      } catch (RuntimeException e) {
        // The listener failed; other calls share the reading thread.
        forget(token.asLong());
      }
    }
  }
}
