package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.http.server.Problems;
import dev.substrat.http.server.RawClient;
import dev.substrat.http.server.TestServer;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The OpenAPI description matches the routes of the daemon.
final class OpenApiTest {
  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private final JsonNode description = daemon.get("/api/openapi.json").body();

  @AfterEach
  void stop() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void the_document_is_valid_openapi() {
    assertThat(description.path("openapi").asText()).startsWith("3.1");
    assertThat(description.path("info").path("title").asText()).isEqualTo("Substrat");
    assertThat(description.path("paths").has("/api/openapi.json")).isTrue();
    forEachOperation((_, operation) -> {
      assertThat(operation.path("summary").asText()).isNotBlank();
      assertThat(operation.path("responses")).isNotEmpty();
    });
  }

  /// A wrong method is answered with the allowed ones, so the daemon reports for every path which
  /// methods it serves.
  @Test
  void exactly_the_served_methods_are_listed() {
    for (var path : description.path("paths").properties()) {
      var listed = new TreeSet<String>();
      path.getValue()
          .fieldNames()
          .forEachRemaining(name -> listed.add(name.toUpperCase(Locale.ROOT)));
      String concrete = path.getKey().replaceAll("\\{\\w+}", "nobody");
      var refusal = daemon.client().send("BREW", concrete, "");

      assertThat(refusal.status()).as(concrete).isEqualTo(405);
      assertThat(refusal.header("Allow")).as(concrete).isEqualTo(String.join(", ", listed));
    }
  }

  @Test
  void every_served_route_is_listed() {
    var routes = new ArrayList<HttpRoute>();
    routes.add(HttpRoute.read("/a", RouteAccess.PUBLIC, "a", _ -> HttpReply.ok("a")));
    routes.add(HttpRoute.remove("/a/{id}", RouteAccess.PUBLIC, "b", _ -> HttpReply.noContent()));
    routes.add(OpenApi.describing(routes, "1"));
    try (var server = new TestServer(routes, ClientTimeouts.DEFAULT);
        var client = new TestClient(server.url(), "any")) {
      JsonNode paths = client.get("/api/openapi.json").body().path("paths");
      assertThat(
              paths.properties().stream()
                  .map(path -> path.getKey() + path.getValue().fieldNames().next()))
          .containsExactlyInAnyOrder("/aget", "/a/{id}delete", "/api/openapi.jsonget");
    }
  }

  @Test
  void every_listed_route_exists() {
    forEachOperation((operation, _) -> {
      String code = code(operation);
      assertThat(code).as(operation).isNotIn("NOT_FOUND route", "METHOD_NOT_ALLOWED", "INTERNAL");
    });
  }

  private static final Set<String> STREAMS = Set.of("GET /api/events", "GET /api/sse", "GET /mcp");

  /// A route that rejects the name in its path exists; a route without a name must succeed.
  private String code(String operation) {
    String[] parts = operation.split(" ");
    if (STREAMS.contains(operation)) {
      return stream(parts[1]);
    }
    String path = parts[1].replaceAll("\\{\\w+}", "nobody");
    var answer = daemon.client().send(parts[0], path, "");
    String message = answer.text("message");
    return answer.text("code") + (message.startsWith("no route for") ? " route" : "");
  }

  private String stream(String path) {
    try (var client = new RawClient(daemon.url())) {
      client.send(
          "GET "
              + path
              + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + daemon.token()
              + "\r\n\r\n");
      return client
              .until(path.equals("/mcp") ? "listening" : "connected")
              .startsWith("HTTP/1.1 200 ")
          ? ""
          : "INTERNAL";
    }
  }

  @Test
  void body_schemas_are_the_validated_ones() {
    var checked = new ArrayList<String>();
    forEachOperation((operation, node) -> {
      JsonNode schema = node.at("/requestBody/content/application~1json/schema");
      if (!schema.isMissingNode()) {
        checked.add(operation);
        requireChecked(operation, schema);
      }
    });
    assertThat(checked)
        .contains(
            "POST /api/agents",
            "PUT /api/agents/{id}",
            "POST /api/tokens",
            "POST /api/agents/{id}/messages");
  }

  private void requireChecked(String operation, JsonNode schema) {
    refuse(operation, "[]");
    refuse(operation, "\"text\"");
    assertThat(schema.path("additionalProperties").asBoolean(true)).as(operation).isFalse();
    refuse(operation, with(fitting(schema), "surprise", Json.tree(1)));
    for (JsonNode required : schema.path("required")) {
      ObjectNode without = fitting(schema);
      without.remove(required.asText());
      refuse(operation, without.toString());
    }
    for (var property : schema.path("properties").properties()) {
      if (!property.getValue().has("type")) {
        // Anything fits.
        continue;
      }
      JsonNode wrong =
          switch (property.getValue().path("type").asText()) {
            case "string", "boolean", "array", "integer", "number" -> Json.object();
            case "object" -> Json.tree("text");
            default -> throw new AssertionError(operation + " " + property);
          };
      refuse(operation, with(fitting(schema), property.getKey(), wrong));
    }
  }

  private void refuse(String operation, String body) {
    String[] parts = operation.split(" ");
    String path = parts[1].replaceAll("\\{\\w+}", "nobody");
    var answer = daemon.client().send(parts[0], path, body);
    Problems.require(answer, 400, "INVALID_ARGUMENTS");
  }

  private static String with(ObjectNode body, String key, JsonNode value) {
    return body.set(key, value).toString();
  }

  /// The smallest body the schema allows.
  private static ObjectNode fitting(JsonNode schema) {
    var body = Json.object();
    for (JsonNode required : schema.path("required")) {
      String type = schema.path("properties").path(required.asText()).path("type").asText();
      body.set(
          required.asText(),
          switch (type) {
            case "string" -> Json.tree("something");
            case "integer" -> Json.tree(1);
            case "array" -> Json.tree(List.of());
            case "boolean" -> Json.tree(true);
            case "" -> Json.object();
            default -> throw new AssertionError(required + " " + type);
          });
    }
    return body;
  }

  @Test
  void documented_token_requirements_match() {
    try (var stranger = daemon.as("")) {
      forEachOperation((operation, node) -> {
        String[] parts = operation.split(" ");
        String path = parts[1].replaceAll("\\{\\w+}", "nobody");
        boolean isAsked =
            stranger.send(parts[0], path, "").text("message").equals("the request has no token");
        assertThat(isAsked).as(operation).isEqualTo(!node.path("security").isEmpty());
      });
    }
  }

  private void forEachOperation(BiConsumer<String, JsonNode> action) {
    for (Map.Entry<String, JsonNode> path : description.path("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        String method = operation.getKey().toUpperCase(Locale.ROOT);
        assertThat(METHODS).contains(method);
        action.accept(method + " " + path.getKey(), operation.getValue());
      }
    }
  }
}
