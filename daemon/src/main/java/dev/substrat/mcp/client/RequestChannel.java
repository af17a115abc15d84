package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.transport.McpTransport;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/// Sends numbered JSON-RPC requests and returns their results. If the caller is interrupted or its
/// deadline passes, the server gets a cancellation.
///
/// Safe for many threads.
final class RequestChannel implements AutoCloseable {
  private static final Duration PARTING = Duration.ofSeconds(2);
  private static final int MAX_ANSWERS = 16;

  private final McpTransport transport;
  private final AtomicLong ids = new AtomicLong();
  private final Semaphore answering = new Semaphore(MAX_ANSWERS);

  RequestChannel(McpTransport transport) {
    this.transport = transport;
  }

  void agreed(NegotiatedProtocol accord) {
    transport.agreed(accord);
  }

  /// A unique request id.
  long nextId() {
    return ids.incrementAndGet();
  }

  ObjectNode ask(
      String method, ObjectNode params, Map<String, String> headers, RemoteDeadline deadline) {
    var ask = new McpRequest(nextId(), method, params, headers);
    try {
      return result(transport.ask(ask, deadline));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      leave(ask);
      throw RemoteFailure.because(
          FailureReason.CANCELLED, "the caller no longer waits for the result", e);
    } catch (RemoteFailure failure) {
      // An interrupt causes the same error as a broken connection.
      boolean isCancelled = Thread.currentThread().isInterrupted();
      if (isCancelled || failure.reason() == FailureReason.TIMED_OUT) {
        leave(ask);
      }
      throw isCancelled
          ? RemoteFailure.because(
              FailureReason.CANCELLED, "the caller no longer waits for the result", failure)
          : failure;
    }
  }

  private static ObjectNode result(ObjectNode answer) {
    if (answer.has("error")) {
      throw RemoteFailure.refused(answer.path("error"));
    }
    if (answer.path("result") instanceof ObjectNode result) {
      return result;
    }
    throw RemoteFailure.protocol("the server returned a result that is not an object");
  }

  /// An initialize request cannot be cancelled.
  private void leave(McpRequest ask) {
    if (transport.cancelsByLeaving() || ask.method().equals("initialize")) {
      return;
    }
    var params =
        Json.object().put("requestId", ask.id()).put("reason", "the caller no longer waits");
    sendInBackground(JsonRpc.notification("notifications/cancelled", params), () -> {});
  }

  /// Sends a notification.
  void sendNotification(ObjectNode message, RemoteDeadline deadline) {
    transport.sendNotification(message, deadline);
  }

  /// Answers a request of the server in the background. If the server sends more requests than it
  /// reads answers, the rest is dropped.
  void answerAside(ObjectNode message) {
    if (answering.tryAcquire()) {
      sendInBackground(message, answering::release);
    }
  }

  /// Sends a message in the background. Failures are ignored.
  private void sendInBackground(ObjectNode message, Runnable afterwards) {
    Thread.ofVirtual()
        .name("mcp notification")
        .start(() -> {
          try {
            transport.sendNotification(message, RemoteDeadline.in(PARTING));
          } catch (RemoteFailure e) {
            // The server has disconnected or does not read.
          } finally {
            afterwards.run();
          }
        });
  }

  /// See [McpTransport#listen].
  boolean listen(ObjectNode params) throws InterruptedException {
    return transport.listen(new McpRequest(nextId(), "subscriptions/listen", params, Map.of()));
  }

  boolean isOpen() {
    return transport.isOpen();
  }

  @Override
  public void close() {
    transport.close();
  }
}
