package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Everything that a daemon acknowledged, with the ids.
///
/// Each text is unique and is its own idempotency key. A text that was not acknowledged is sent
/// again, with the same key, until it is.
final class AcknowledgedWork {
  private final AtomicInteger texts = new AtomicInteger();
  private final Queue<MessageRequest> unanswered = new ConcurrentLinkedQueue<>();
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  private final Set<String> tokens = ConcurrentHashMap.newKeySet();

  /// A message to send to an agent.
  record MessageRequest(String agent, String text, boolean sync) {}

  /// A message with a new unique text, such as "circle 12".
  MessageRequest fresh(String agent, String verb, boolean sync) {
    return new MessageRequest(agent, verb + " " + texts.incrementAndGet(), sync);
  }

  void sendUnanswered(DaemonClient client) throws IOException, InterruptedException {
    for (int left = unanswered.size(); left > 0; left--) {
      MessageRequest message = unanswered.poll();
      if (message != null) {
        send(client, message);
      }
    }
  }

  void send(DaemonClient client, MessageRequest message) throws IOException, InterruptedException {
    boolean isAnswered = false;
    try {
      var answer =
          client.post(
              "/api/agents/" + message.agent() + "/messages",
              Map.of("text", message.text(), "sync", message.sync()),
              "Idempotency-Key",
              message.text());
      assertThat(answer.status()).as(message + ": " + answer.body()).isEqualTo(201);
      acknowledged.put(message.text(), answer.body().path("message_id").asText());
      isAnswered = true;
    } finally {
      if (!isAnswered) {
        unanswered.add(message);
      }
    }
  }

  void promise(String token) {
    tokens.add(token);
  }

  /// Text to id.
  Map<String, String> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  Set<String> tokens() {
    return Set.copyOf(tokens);
  }
}
