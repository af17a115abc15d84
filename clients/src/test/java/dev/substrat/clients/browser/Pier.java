package dev.substrat.clients.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import dev.substrat.config.Settings;
import dev.substrat.daemon.Daemon;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/// A daemon to look at. It can be stopped and started again at the same address.
final class Pier implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;
  private Daemon daemon;
  private final String url;

  Pier(Path data) {
    this.data = data;
    this.daemon = start(0);
    this.url = daemon.url();
  }

  private Daemon start(int port) {
    return Daemon.start(
        new Settings("127.0.0.1", port, data, null, 2, "error", Set.of()), Map.of());
  }

  String url() {
    return url;
  }

  String token() throws IOException {
    return Files.readString(data.resolve("operator.token")).strip();
  }

  /// Lets somebody in by a link that works once.
  void admit(Page page) throws IOException, InterruptedException {
    page.navigate(post("/api/login-links", "").path("url").asText());
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token())
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).as(path).isEqualTo(201);
    return JSON.readTree(response.body());
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token())
            .build();
    return JSON.readTree(http.send(request, BodyHandlers.ofByteArray()).body());
  }

  void put(String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token())
            .PUT(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  void stop() {
    daemon.close();
  }

  void startAgain() {
    daemon = start(URI.create(url).getPort());
  }

  @Override
  public void close() {
    daemon.close();
    http.shutdownNow();
  }
}
