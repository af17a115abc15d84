package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Test MCP client on the pipes of a bridge. Reading a line that is not a JSON-RPC message fails.
final class McpPipe {
  static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18",\
      "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\
      """;
  static final String INITIALIZED =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SECONDS = 60;

  private final OutputStream in;
  private final LinkedBlockingQueue<JsonNode> read = new LinkedBlockingQueue<>();
  private final List<JsonNode> passedOver = new ArrayList<>();

  McpPipe(OutputStream in, InputStream out) {
    this.in = in;
    Thread.ofVirtual().start(() -> collect(out));
  }

  private void collect(InputStream out) {
    try (var lines = new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read.add(message(line));
      }
    } catch (IOException _) {
      // Also marks the end.
    }
    read.add(MissingNode.getInstance());
  }

  private static JsonNode message(String line) {
    try {
      JsonNode json = JSON.readTree(line);
      return json.path("jsonrpc").asText().equals("2.0")
          ? json
          : JSON.createObjectNode().put("not a message", line);
    } catch (IOException e) {
      return JSON.createObjectNode().put("not a message", line);
    }
  }

  void say(String line) throws IOException {
    say((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void say(byte[] bytes) throws IOException {
    in.write(bytes);
    in.flush();
  }

  void end() throws IOException {
    in.close();
  }

  /// Sends `initialize` and `notifications/initialized`; returns the response.
  JsonNode greet() throws Exception {
    say(INITIALIZE);
    JsonNode answer = answer("i");
    say(INITIALIZED);
    return answer;
  }

  void request(Object id, String method, String parameters) throws IOException {
    say(
        "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
            .formatted(id instanceof String text ? "\"" + text + "\"" : id, method, parameters));
  }

  void call(Object id, String tool, String arguments) throws IOException {
    request(id, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
  }

  /// The response to a request; other messages are kept.
  JsonNode answer(Object id) throws InterruptedException {
    String text = String.valueOf(id);
    return find(json -> !json.has("method") && json.path("id").asText().equals(text));
  }

  JsonNode notification(String method) throws InterruptedException {
    return find(json -> json.path("method").asText().equals(method));
  }

  /// All remaining messages until the end of the output.
  List<JsonNode> rest() throws InterruptedException {
    for (JsonNode next = next(); !next.isMissingNode(); next = next()) {
      passedOver.add(next);
    }
    return passedOver;
  }

  private JsonNode find(Predicate<JsonNode> wanted) throws InterruptedException {
    for (JsonNode waiting : passedOver) {
      if (wanted.test(waiting)) {
        passedOver.remove(waiting);
        return waiting;
      }
    }
    while (true) {
      JsonNode next = next();
      assertThat(next.isMissingNode()).as("the output ended; before: %s", passedOver).isFalse();
      if (wanted.test(next)) {
        return next;
      }
      passedOver.add(next);
    }
  }

  private JsonNode next() throws InterruptedException {
    JsonNode next = read.poll(SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("no message arrived; earlier messages: %s", passedOver).isNotNull();
    assertThat(next.has("not a message")).as(next.toString()).isFalse();
    return next;
  }
}
