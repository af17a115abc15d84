package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Unanswered requests of the server to clients of the legacy era: they are sent on the stream of
/// the request that needs them, and the answers arrive as separate requests.
final class ServerRequests {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration BEAT = Duration.ofMillis(700);

  private final Map<String, Open> open = new ConcurrentHashMap<>();

  /// The asked client, and the receiver of its answer.
  private record Open(String asked, CompletableFuture<ObjectNode> answer) {}

  /// Sends all requests and waits for all responses, as long as the client waits for the result. It
  /// holds a thread and nothing else.
  ObjectNode ask(String asked, ObjectNode questions, McpExchange inquiry) {
    var waiting = new LinkedHashMap<String, CompletableFuture<ObjectNode>>();
    var ids = new LinkedHashMap<String, String>();
    try {
      questions
          .properties()
          .forEach(one -> {
            String id = UUID.randomUUID().toString();
            var answer = new CompletableFuture<ObjectNode>();
            ids.put(one.getKey(), id);
            waiting.put(one.getKey(), answer);
            open.put(id, new Open(asked, answer));
            JsonNode question = one.getValue();
            inquiry.send(
                JsonRpc.request(
                    new TextNode(id), question.path("method").asText(), question.path("params")));
          });
      var all = List.copyOf(waiting.values());
      inquiry.whenGone(() -> all.forEach(one -> one.cancel(false)));
      var answers = Json.object();
      waiting.forEach((name, answer) -> answers.set(name, await(answer, inquiry)));
      return answers;
    } finally {
      open.keySet().removeAll(ids.values());
    }
  }

  private static JsonNode await(CompletableFuture<ObjectNode> answer, McpExchange inquiry) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() - end < 0) {
      try {
        ObjectNode body = answer.get(BEAT.toMillis(), TimeUnit.MILLISECONDS);
        if (body.path("result") instanceof ObjectNode result) {
          return result;
        }
        throw ProtocolError.notNow(
            "the client rejected the request: " + body.path("error").path("message").asText());
      } catch (TimeoutException e) {
        inquiry.beat();
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("the daemon is stopping");
      }
    }
    throw ProtocolError.notNow("the client did not answer in time");
  }

  /// A response to an unknown or abandoned request is ignored.
  void answered(String by, ClientMessage.Answer answer) {
    Open one = open.get(answer.id());
    if (one != null && one.asked().equals(by)) {
      one.answer().complete(answer.body());
    }
  }
}
