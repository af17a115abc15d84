package dev.substrat.bench.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/// Agents of a daemon: one lead and a number of external agents below it, without effective rate
/// limits.
final class BenchTeam {
  private static final int NO_LIMIT = 1_000_000_000;

  private final URI daemon;
  private final String operator;

  BenchTeam(URI daemon, Path data) throws IOException, InterruptedException {
    this.daemon = daemon;
    this.operator = Files.readString(data.resolve("operator.token")).strip();
    create(agent("lead"));
  }

  /// A new agent's token.
  String join(String name) throws IOException, InterruptedException {
    return token(create(agent(name).put("parent", "lead")));
  }

  private String token(JsonNode agent) throws IOException, InterruptedException {
    String path = "/api/agents/" + agent.path("id").asText() + "/tokens";
    return post(path, Json.object().put("label", "bench")).path("token").asText();
  }

  /// The token of a new agent that has the tools of an MCP server.
  String join(String name, URI server) throws IOException, InterruptedException {
    var agent = agent(name).put("parent", "lead");
    agent
        .putObject("mcp")
        .putArray("servers")
        .addObject()
        .put("name", "upstream")
        .put("url", server.toString())
        .put("transport", "http")
        .putArray("allowedTools")
        .add("echo")
        .add("read");
    return token(create(agent));
  }

  private static ObjectNode agent(String name) {
    var agent = Json.object().put("name", name);
    agent.putObject("provider").put("name", "external");
    agent.putObject("limits").put("messagesPerMinute", NO_LIMIT).put("callsPerMinute", NO_LIMIT);
    return agent;
  }

  private JsonNode create(ObjectNode agent) throws IOException, InterruptedException {
    return post("/api/agents", agent);
  }

  private JsonNode post(String path, ObjectNode body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(daemon.resolve(path))
            .header("Authorization", "Bearer " + operator)
            .POST(BodyPublishers.ofByteArray(Json.bytes(body)))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 201) {
        throw new IllegalStateException(path + " was answered " + answer.body());
      }
      return Json.own(answer.body());
    }
  }
}
