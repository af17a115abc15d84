package dev.substrat.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// OpenAPI document, generated from the routes.
public final class OpenApi {
  private static final Pattern NAME = Pattern.compile("\\{(\\w+)}");

  private OpenApi() {}

  /// The route that serves the description of `routes` and of itself.
  public static HttpRoute describing(List<HttpRoute> routes, String version) {
    var all = new ArrayList<>(routes);
    // Generated on the first request, to keep the start fast.
    var own =
        HttpRoute.read(
            "/api/openapi.json",
            RouteAccess.ANY_TOKEN,
            "This document.",
            _ -> HttpReply.ok(describe(all, version)));
    all.add(own);
    return own;
  }

  private static ObjectNode describe(List<HttpRoute> routes, String version) {
    var root = Json.object().put("openapi", "3.1.0");
    root.putObject("info").put("title", "Substrat").put("version", version);
    var schemes = root.putObject("components").putObject("securitySchemes");
    schemes.putObject("bearer").put("type", "http").put("scheme", "bearer");
    var paths = root.putObject("paths");
    for (HttpRoute route : routes) {
      paths
          .withObjectProperty(route.path())
          .set(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    return root;
  }

  private static ObjectNode operation(HttpRoute route) {
    var operation = Json.object().put("summary", route.summary());
    if (route.access() == RouteAccess.PUBLIC) {
      operation.putArray("security");
    } else {
      operation.putArray("security").addObject().putArray("bearer");
    }
    addParameters(route, operation);
    if (route.body() != null) {
      var body = operation.putObject("requestBody").put("required", true);
      body.putObject("content")
          .putObject("application/json")
          .set("schema", JsonSchema.ofRecord(route.body()).json());
    }
    var responses = operation.putObject("responses");
    responses.putObject("default").put("description", "The result, or a problem as JSON.");
    return operation;
  }

  private static void addParameters(HttpRoute route, ObjectNode operation) {
    var parameters = Json.object().putArray("parameters");
    NAME.matcher(route.path())
        .results()
        .map(match -> match.group(1))
        .forEach(name -> parameters.add(parameter("path", name).put("required", true)));
    for (HttpRoute.RouteParameter known : route.parameters()) {
      parameters.add(parameter(known.in(), known.name()).put("description", known.description()));
    }
    if (!parameters.isEmpty()) {
      operation.set("parameters", parameters);
    }
  }

  private static ObjectNode parameter(String in, String name) {
    var parameter = Json.object().put("name", name).put("in", in);
    parameter.putObject("schema").put("type", "string");
    return parameter;
  }
}
