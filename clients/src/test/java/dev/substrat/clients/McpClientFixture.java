package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Test fixture: a real daemon with two external agents, mira and her child ada.
final class McpClientFixture implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;
  private final Daemon daemon;

  McpClientFixture(Path data) throws IOException, InterruptedException {
    this.data = data;
    this.daemon =
        Daemon.start(
            new DaemonSettings("127.0.0.1", 0, data, null, 2, "error", Set.of()), Map.of());
    post("/api/agents", "{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}");
    post(
        "/api/agents",
        "{\"name\":\"ada\",\"parent\":\"mira\",\"provider\":{\"name\":\"external\"}}");
  }

  String url() {
    return daemon.url();
  }

  /// A new token of an agent.
  String token(String agent) throws IOException, InterruptedException {
    return post("/api/agents/" + agent + "/tokens", "{}").path("token").asText();
  }

  /// Sends a message to an agent, as the operator.
  void write(String agent, String text) throws IOException, InterruptedException {
    post("/api/agents/" + agent + "/messages", "{\"text\":\"" + text + "\",\"sync\":false}");
  }

  /// The command with which an MCP client starts the bridge of an agent.
  List<String> server(String agent) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        bridge().toString(),
        "dev.substrat.bridge.BridgeMain",
        "--data",
        data.toString(),
        "--agent",
        agent);
  }

  static Path bridge() {
    try {
      var main = Class.forName("dev.substrat.bridge.BridgeMain");
      return Path.of(main.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode post(String path, String body) throws IOException, InterruptedException {
    String operator = Files.readString(data.resolve("operator.token")).strip();
    var request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Authorization", "Bearer " + operator)
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).as(path).isEqualTo(201);
    return JSON.readTree(response.body());
  }

  @Override
  public void close() {
    daemon.close();
    http.shutdownNow();
  }
}
