package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/// HTTP client with the operator's token.
final class OperatorClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path data;
  private final HttpClient http;

  OperatorClient(Path data) {
    this(data, HttpClient.newHttpClient());
  }

  /// With a client that trusts the daemon's certificate.
  OperatorClient(Path data, HttpClient http) {
    this.data = data;
    this.http = http;
  }

  /// Creates an external agent.
  String createsExternal(String name) throws Exception {
    return creates("{\"name\":\"%s\",\"provider\":{\"name\":\"external\"}}".formatted(name));
  }

  /// Creates an external agent with a parent.
  String createsChild(String name, String parent) throws Exception {
    return creates(
        "{\"name\":\"%s\",\"parent\":\"%s\",\"provider\":{\"name\":\"external\"}}"
            .formatted(name, parent));
  }

  String creates(String agent) throws Exception {
    JsonNode created = send("POST", "/api/agents", agent);
    assertThat(created.has("id")).as(created.toString()).isTrue();
    return created.path("id").asText();
  }

  String mintsToken(String agent) throws Exception {
    return send("POST", "/api/agents/" + agent + "/tokens", "{}").path("token").asText();
  }

  JsonNode send(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Authorization", "Bearer " + read("operator.token"))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return JSON.readTree(http.send(request.build(), BodyHandlers.ofByteArray()).body());
  }

  private String url() throws IOException {
    return JSON.readTree(read("daemon.json")).path("url").asText();
  }

  private String read(String file) throws IOException {
    return Files.readString(data.resolve(file)).strip();
  }
}
