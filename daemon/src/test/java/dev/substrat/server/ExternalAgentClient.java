package dev.substrat.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// MCP client of an external agent: reads its inbox and answers questions of mira.
///
/// It repeats a request without response, with the same idempotency key, also to the next daemon.
final class ExternalAgentClient {
  private final String token;
  private int requests;

  /// Message id to the request in which it was seen.
  private final Map<String, String> seen = new ConcurrentHashMap<>();

  private final Queue<String> shownTwice = new ConcurrentLinkedQueue<>();

  ExternalAgentClient(String token) {
    this.token = token;
  }

  /// Reads the inbox once. Called by one thread at a time.
  void look(String url) throws IOException, InterruptedException {
    try (var client = new DaemonClient(url, token)) {
      String request = "look " + requests;
      JsonNode mail = call(client, "check_inbox", Map.of(), request).path("messages");
      for (JsonNode message : mail) {
        read(client, message, request);
      }
      // Only now: a request without response is repeated.
      requests++;
    }
  }

  private void read(DaemonClient client, JsonNode message, String request)
      throws IOException, InterruptedException {
    String id = message.path("message_id").asText();
    String before = seen.putIfAbsent(id, request);
    if (before != null && !before.equals(request)) {
      shownTwice.add(message.path("text").asText() + " in " + before + " and " + request);
    }
    if (message.path("text").asText().startsWith("consult")) {
      call(
          client,
          "send_message",
          Map.of(
              "recipient",
              "mira",
              "text",
              "eva on " + message.path("text").asText(),
              "in_reply_to",
              id),
          "answer " + id);
    }
  }

  private static JsonNode call(
      DaemonClient client, String tool, Map<String, String> arguments, String key)
      throws IOException, InterruptedException {
    var request =
        Map.of(
            "jsonrpc",
            "2.0",
            "id",
            1,
            "method",
            "tools/call",
            "params",
            Map.of("name", tool, "arguments", arguments));
    var answer = client.post("/mcp", request, "Idempotency-Key", key);
    JsonNode result = answer.body().path("result");
    if (answer.status() != 200 || result.path("isError").asBoolean(true)) {
      throw new AssertionError(tool + " said " + answer);
    }
    return result.path("structuredContent");
  }

  /// Messages that were delivered again although they counted as read.
  Queue<String> shownTwice() {
    return shownTwice;
  }
}
