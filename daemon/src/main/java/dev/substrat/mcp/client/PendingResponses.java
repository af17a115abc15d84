package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Requests that wait for their responses on a shared stream.
///
/// Safe for many threads: the requesting ones, and the one that reads.
public final class PendingResponses {
  private final Map<Long, CompletableFuture<ObjectNode>> waiting = new ConcurrentHashMap<>();
  private volatile @Nullable RemoteFailure end;

  /// Waits for the response to `id` after `send` has sent the request.
  public ObjectNode await(long id, Runnable send, RemoteDeadline deadline)
      throws InterruptedException {
    var answer = new CompletableFuture<ObjectNode>();
    waiting.put(id, answer);
    try {
      requireOpen();
      send.run();
      return answer.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw deadline.passed();
    } catch (ExecutionException e) {
      throw (RemoteFailure) e.getCause();
    } finally {
      waiting.remove(id);
    }
  }

  public void requireOpen() {
    RemoteFailure failure = end;
    if (failure != null) {
      throw RemoteFailure.because(failure.reason(), failure.getMessage(), failure);
    }
  }

  public boolean isOpen() {
    return end == null;
  }

  /// True if the message was a response. A response that no caller waits for is ignored.
  public boolean take(JsonNode message) {
    if (!ServerMessages.isAnswer(message)) {
      return false;
    }
    JsonNode id = message.path("id");
    var answer = id.isIntegralNumber() ? waiting.get(id.asLong()) : null;
    if (answer != null && message instanceof ObjectNode object) {
      answer.complete(object);
    }
    return true;
  }

  /// No response will come: fails all waiting and all later requests.
  public void end(RemoteFailure failure) {
    if (end == null) {
      end = failure;
    }
    waiting.values().forEach(answer -> answer.completeExceptionally(failure));
  }
}
