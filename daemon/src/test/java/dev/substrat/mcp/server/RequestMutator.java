package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Generates damaged requests from valid ones, reproducible by its seed.
public final class RequestMutator {
  private static final String META =
      """
      {"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":{"elicitation":{},\
      "extensions":{"io.modelcontextprotocol/tasks":{}}},"progressToken":1}\
      """;

  private static final String[] REQUESTS = {
    "initialize {\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"roots\":{}}}",
    "server/discover {}",
    "ping {}",
    "tools/list {\"cursor\":\"MQ\"}",
    "tools/call {\"name\":\"send_message\",\"arguments\":{\"recipient\":\"ben\",\"text\":\"é\",\"sync\":false}}",
    "tools/call {\"name\":\"check_inbox\",\"arguments\":{\"limit\":3}}",
    "tools/call {\"name\":\"inspect_agent\",\"arguments\":{\"name\":\"ben\"}}",
    "tools/call {\"name\":\"remind_me\",\"arguments\":{\"text\":\"x\",\"in_seconds\":3600}}",
    "prompts/list {}",
    "prompts/get {\"name\":\"ask_teammate\",\"arguments\":{\"recipient\":\"ben\",\"question\":\"?\"}}",
    "resources/list {}",
    "resources/templates/list {}",
    "resources/read {\"uri\":\"substrat://team/b%65n\"}",
    "resources/subscribe {\"uri\":\"substrat://inbox\"}",
    "completion/complete {\"ref\":{\"type\":\"ref/prompt\",\"name\":\"ask_teammate\"},\"argument\":{\"name\":\"recipient\",\"value\":\"b\"}}",
    "logging/setLevel {\"level\":\"info\"}",
    "subscriptions/listen {\"notifications\":{\"taskIds\":[\"x\"],\"resourceSubscriptions\":[\"y\"]}}",
    "tasks/get {\"taskId\":\"x\"}",
    "tasks/update {\"taskId\":\"x\",\"inputResponses\":{\"a\":{}}}",
    "tasks/cancel {\"taskId\":\"x\"}",
    "notifications/cancelled {\"requestId\":1}",
  };

  private static final String[] VALUES = {
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "99999999999999999999",
    "0.5",
    "\"\"",
    "\"*\"",
    "\"2.0\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\uFFFF\"",
    "\"%\"",
    "\"substrat://team/%\"",
    "[]",
    "{}",
    "[[[]]]",
    "\"2026-07-28\"",
    "\"a.b\"",
    "{\"\":{\"\":[]}}",
    "\"=?base64?!?=\"",
  };

  private final SplittableRandom random;

  public RequestMutator(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /// `body` has a character for each byte; `headers` are names and values in turn.
  public record Mutation(String body, List<String> headers) {
    TestClient.Answer play(TestClient client) {
      byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
      return client.send("POST", "/mcp", bytes, headers.toArray(String[]::new));
    }
  }

  public Mutation next() {
    String[] good = REQUESTS[random.nextInt(REQUESTS.length)].split(" ", 2);
    var message = Json.object().put("jsonrpc", "2.0");
    if (!good[0].startsWith("notifications/")) {
      message.put("id", random.nextInt(100));
    }
    message.put("method", good[0]).set("params", Json.own(good[1]));
    var headers = new ArrayList<>(List.of("Accept", "application/json"));
    if (random.nextBoolean()) {
      becomeModern(message, headers);
    }
    for (int harm = random.nextInt(4); harm > 0; harm--) {
      harm(message);
    }
    if (random.nextInt(4) == 0) {
      int at = 1 + 2 * random.nextInt(headers.size() / 2);
      headers.set(at, random.nextBoolean() ? "=?base64?w?=" : "2025-03-26");
    }
    byte[] body = Json.bytes(random.nextInt(10) == 0 ? batch(message) : message);
    byte[] sent = random.nextInt(4) == 0 ? torn(body) : body;
    return new Mutation(new String(sent, StandardCharsets.ISO_8859_1), List.copyOf(headers));
  }

  private static void becomeModern(ObjectNode message, List<String> headers) {
    var params = (ObjectNode) message.path("params");
    params.set("_meta", Json.own(META));
    headers.addAll(List.of("MCP-Protocol-Version", "2026-07-28"));
    headers.addAll(List.of("Mcp-Method", message.path("method").asText()));
    for (String key : new String[] {"name", "uri", "taskId"}) {
      if (params.path(key).isTextual()) {
        headers.addAll(List.of("Mcp-Name", params.path(key).textValue()));
      }
    }
  }

  private ArrayNode batch(ObjectNode message) {
    var batch = message.arrayNode();
    for (int i = random.nextInt(5); i >= 0; i--) {
      batch.add(message);
    }
    return batch;
  }

  /// Changes, drops, adds or renames something somewhere.
  private void harm(ObjectNode message) {
    var places = new ArrayList<ObjectNode>();
    collect(message, places);
    ObjectNode place = places.get(random.nextInt(places.size()));
    var keys = new ArrayList<String>();
    place.fieldNames().forEachRemaining(keys::add);
    String key = keys.isEmpty() ? "new" : keys.get(random.nextInt(keys.size()));
    switch (random.nextInt(4)) {
      case 0 -> place.remove(key);
      case 1 -> place.set(key + "\u00e9", value());
      default -> place.set(key, value());
    }
  }

  private static void collect(JsonNode node, List<ObjectNode> into) {
    if (node instanceof ObjectNode object) {
      into.add(object);
    }
    node.forEach(child -> collect(child, into));
  }

  private JsonNode value() {
    return Json.own(VALUES[random.nextInt(VALUES.length)]);
  }

  private byte[] torn(byte[] body) {
    byte[] torn = body.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      torn[random.nextInt(torn.length)] = (byte) random.nextInt(256);
    }
    return torn;
  }
}
