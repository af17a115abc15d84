package dev.substrat.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.server.RequestMutator;
import dev.substrat.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Generates random requests to every route of a daemon, most of them invalid, reproducible by
/// their seed.
final class FuzzedRequests {
  private static final Pattern NAME = Pattern.compile("\\{\\w+}");

  /// These start programs of the machine, or stop the daemon.
  private static final List<String> LEFT_OUT =
      List.of("/api/providers", "/api/shutdown", "/health", "/team/{who}/terminate");

  private static final String[] IN_PATHS = {
    "ada",
    "ben",
    "general",
    "dm-ada-ben",
    "operator",
    "ana",
    "nobody",
    "1",
    "-1",
    "0",
    "%00",
    "%ff",
    "..",
    "%2e%2e",
    "a%2Fb",
    "*",
    "~",
    "%C3%A9",
    "%E2%80%AE",
    "+",
    ";",
    "a".repeat(300),
    "null",
  };

  private static final String[] TEXTS = {
    "",
    " ",
    "ada",
    "ben",
    "general",
    "operator",
    "*",
    "é",
    "\uD83D\uDE00",
    "\u202E",
    "%",
    "${env.HOME}",
    "{{input.x}}",
    "2026-07-28",
    "2026-11-18T10:00:00Z",
    "* * * * *",
    "../../etc/passwd",
    "' or 1=1 --",
    "<script>alert(1)</script>",
    "\n\r\t",
    "\u0001\u001B[2J",
    "null",
    "true",
    "-1",
    "external",
    "scripted",
    "public",
    "dm",
    "x".repeat(5_000),
  };

  private static final String[] VALUES = {
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1",
    "1e400",
    "0.5",
    "99999999999999999999",
    "\"\"",
    "\"ada\"",
    "[]",
    "{}",
    "[[[]]]",
    "{\"\":{\"\":[]}}",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "2147483648",
    "-9223372036854775808",
  };

  private static final String[] HEADERS = {
    "Accept", "text/html",
    "Accept", "application/json, text/event-stream",
    "Accept", "text/event-stream",
    "Content-Type", "application/json",
    "Content-Type", "application/x-www-form-urlencoded",
    "Content-Type", "text/plain; charset=utf-32",
    "Origin", "https://evil.example",
    "Idempotency-Key", "k".repeat(2_000),
    "Idempotency-Key", "1",
    "Last-Event-ID", "999999999999999999999",
    "Last-Event-ID", "0",
    "Cookie", "substrat_session=substrat_x_y",
    "Sec-Fetch-Site", "same-origin",
    "Mcp-Session-Id", "00000000000000000000000000000000_2025-06-18_7",
    "MCP-Protocol-Version", "2026-07-28",
    "Substrat-Principal", "zoo",
    "X-Long", "x".repeat(6_000),
  };

  private final SplittableRandom random;
  private final RequestMutator messages;
  private final List<Target> targets;
  private final List<String> tokens;

  /// `tokens` are sent alike often; an empty one is none.
  FuzzedRequests(long seed, List<Target> targets, List<String> tokens) {
    this.random = new SplittableRandom(seed);
    this.messages = new RequestMutator(seed);
    this.targets = targets;
    this.tokens = tokens;
  }

  /// One route, as the daemon describes it.
  record Target(String method, String path, JsonNode schema, List<String> query) {

    static List<Target> of(JsonNode description) {
      var targets = new ArrayList<Target>();
      for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          var query = new ArrayList<String>();
          operation
              .getValue()
              .path("parameters")
              .forEach(one -> {
                if (one.path("in").asText().equals("query")) {
                  query.add(one.path("name").asText());
                }
              });
          targets.add(
              new Target(
                  operation.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  operation.getValue().at("/requestBody/content/application~1json/schema"),
                  query));
        }
      }
      targets.removeIf(one -> LEFT_OUT.contains(one.path()));
      return targets;
    }
  }

  /// `headers` are alternating names and values. With `isRaw`, `head` is sent literally instead of
  /// the other fields. `head` and `body` have one character per byte.
  record Request(
      String method, String path, List<String> headers, String body, boolean isRaw, String head) {

    @Override
    public String toString() {
      return "%s %s %s %s"
          .formatted(
              method, path, headers, body.length() > 2_000 ? body.substring(0, 2_000) : body);
    }
  }

  Request next() {
    String token = tokens.get(random.nextInt(tokens.size()));
    var headers = new ArrayList<String>();
    if (!token.isEmpty()) {
      headers.addAll(List.of("Authorization", "Bearer " + token));
    }
    if (random.nextInt(4) == 0) {
      RequestMutator.Mutation prank = messages.next();
      headers.addAll(prank.headers());
      return request("POST", "/mcp", headers, prank.body().getBytes(StandardCharsets.ISO_8859_1));
    }
    Target target = targets.get(random.nextInt(targets.size()));
    String method =
        random.nextInt(20) == 0
            ? pick("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH")
            : target.method();
    byte[] body =
        method.equals("GET") && random.nextInt(10) > 0 ? new byte[0] : body(target, headers);
    for (int i = random.nextInt(4); i > 1; i--) {
      int at = 2 * random.nextInt(HEADERS.length / 2);
      headers.addAll(List.of(HEADERS[at], HEADERS[at + 1]));
    }
    return request(method, path(target, method), headers, body);
  }

  private Request request(String method, String path, List<String> headers, byte[] body) {
    boolean isRaw = random.nextInt(12) == 0;
    var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; i < headers.size(); i += 2) {
      head.append(headers.get(i)).append(": ").append(headers.get(i + 1)).append("\r\n");
    }
    head.append("Connection: close\r\nContent-Length: ").append(body.length).append("\r\n\r\n");
    byte[] bytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    return new Request(method, path, headers, text(body), isRaw, text(isRaw ? torn(bytes) : bytes));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private String path(Target target, String method) {
    String path =
        NAME.matcher(target.path())
            .replaceAll(_ ->
                pick(method.equals("DELETE") ? new String[] {"cleo", "nobody", "%ff"} : IN_PATHS));
    if (random.nextInt(30) == 0) {
      path += pick("/", "//", "/x", "%2F", "/..", "?", ";a=b");
    }
    if (!target.query().isEmpty() && random.nextBoolean()) {
      String key = target.query().get(random.nextInt(target.query().size()));
      path += (path.contains("?") ? "&" : "?") + key + "=" + pick(IN_PATHS);
    }
    return path;
  }

  private byte[] body(Target target, List<String> headers) {
    if (target.schema().isMissingNode() || random.nextInt(15) == 0) {
      headers.addAll(List.of("Content-Type", "application/x-www-form-urlencoded", "Origin", "OWN"));
      return form();
    }
    JsonNode value = value(target.schema(), target.schema(), 0);
    for (int i = random.nextInt(3); i > 0; i--) {
      harm(value);
    }
    byte[] body = Json.bytes(value);
    return switch (random.nextInt(200)) {
      case 0 -> large();
      case 1, 2, 3 -> ("{" + keys(random.nextInt(5_000)) + "}").getBytes(StandardCharsets.UTF_8);
      case 4, 5, 6 -> "[".repeat(random.nextInt(3_000)).getBytes(StandardCharsets.UTF_8);
      case 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 -> torn(body);
      default -> body;
    };
  }

  private byte[] large() {
    String text =
        random.nextBoolean()
            ? "{\"text\":\"" + "x".repeat(random.nextInt(3_000_000)) + "\"}"
            : "{" + keys(random.nextInt(300_000)) + "}";
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String keys(int count) {
    var keys = new StringBuilder();
    for (int i = 0; i < count; i++) {
      keys.append(i == 0 ? "\"k" : ",\"k").append(i).append("\":0");
    }
    return keys.toString();
  }

  private byte[] form() {
    var form = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      form.append(
          pick(
              "text",
              "name",
              "token",
              "key",
              "next",
              "agent",
              "answer",
              "%ff",
              "=",
              "skill.0.name"));
      form.append('=').append(pick(IN_PATHS)).append('&');
    }
    return form.toString().getBytes(StandardCharsets.UTF_8);
  }

  /// Something that fits a schema, more or less.
  private JsonNode value(JsonNode root, JsonNode schema, int depth) {
    if (schema.has("$ref")) {
      return value(root, root.at(schema.path("$ref").asText().replaceFirst("^#", "")), depth + 1);
    }
    for (String choice : new String[] {"anyOf", "oneOf"}) {
      if (schema.path(choice) instanceof ArrayNode all && !all.isEmpty()) {
        return value(root, all.get(random.nextInt(all.size())), depth + 1);
      }
    }
    if (schema.path("enum") instanceof ArrayNode words && !words.isEmpty()) {
      return words.get(random.nextInt(words.size()));
    }
    return switch (depth > 6 ? "null" : schema.path("type").asText()) {
      case "object" -> object(root, schema, depth);
      case "array" -> {
        var list = Json.object().arrayNode();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(root, schema.path("items"), depth + 1));
        }
        yield list;
      }
      case "string" -> Json.tree(pick(TEXTS));
      case "integer", "number" -> Json.tree(random.nextInt(-2, 100));
      case "boolean" -> Json.tree(random.nextBoolean());
      default -> Json.own(VALUES[random.nextInt(VALUES.length)]);
    };
  }

  private ObjectNode object(JsonNode root, JsonNode schema, int depth) {
    var object = Json.object();
    var required = new ArrayList<String>();
    schema.path("required").forEach(one -> required.add(one.asText()));
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      if (required.contains(property.getKey()) || random.nextInt(3) == 0) {
        JsonNode likely = likely(property.getKey(), property.getValue());
        object.set(
            property.getKey(),
            random.nextInt(4) > 0 && !likely.isMissingNode()
                ? likely
                : value(root, property.getValue(), depth + 1));
      }
    }
    return object;
  }

  /// A usual value of such a key, so that some requests pass validation.
  private JsonNode likely(String key, JsonNode schema) {
    boolean isText = schema.path("type").asText().equals("string");
    return switch (isText ? key : "") {
      case "name", "id", "displayName", "title", "label" -> Json.tree("fuzz" + random.nextInt(50));
      case "handle" -> Json.tree("fuzz-" + random.nextInt(50));
      case "agent", "recipient", "member", "parent", "defaultAgent" ->
          Json.tree(pick("ada", "ben"));
      case "text", "content", "description", "topic", "systemPrompt" -> Json.tree("words");
      default -> MissingNode.getInstance();
    };
  }

  /// Changes, drops or adds something somewhere.
  private void harm(JsonNode tree) {
    var places = new ArrayList<ObjectNode>();
    collect(tree, places);
    if (places.isEmpty()) {
      return;
    }
    ObjectNode place = places.get(random.nextInt(places.size()));
    var keys = new ArrayList<String>();
    place.fieldNames().forEachRemaining(keys::add);
    String key = keys.isEmpty() ? "new" : keys.get(random.nextInt(keys.size()));
    switch (random.nextInt(4)) {
      case 0 -> place.remove(key);
      case 1 -> place.set(key + "x", Json.own(pick(VALUES)));
      default -> place.set(key, Json.own(pick(VALUES)));
    }
  }

  private static void collect(JsonNode node, List<ObjectNode> into) {
    if (node instanceof ObjectNode object) {
      into.add(object);
    }
    node.forEach(child -> collect(child, into));
  }

  private byte[] torn(byte[] bytes) {
    byte[] torn = bytes.clone();
    for (int i = random.nextInt(3); i > 0 && torn.length > 0; i--) {
      torn[random.nextInt(torn.length)] = (byte) random.nextInt(256);
    }
    return torn;
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
