package dev.substrat.clients.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import dev.substrat.turn.TurnSleep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/// Test fixture: a daemon that can be restarted at the same address.
final class RestartableDaemon implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SLOTS = 4;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;
  private final InstantSource clock;
  private final Set<String> callable;
  private Daemon daemon;
  private final String url;

  RestartableDaemon(Path data) {
    this(data, InstantSource.system(), Set.of());
  }

  /// With its own clock, and hosts that its tools may call.
  RestartableDaemon(Path data, InstantSource clock, Set<String> callable) {
    this.data = data;
    this.clock = clock;
    this.callable = callable;
    this.daemon = start(0);
    this.url = daemon.url();
  }

  private Daemon start(int port) {
    var settings = new DaemonSettings("127.0.0.1", port, data, null, SLOTS, "error", Set.of());
    return Daemon.start(
        settings.allowing(callable, Set.of()),
        Map.of(),
        new Daemon.DaemonClock(clock, TurnSleep.REAL));
  }

  String url() {
    return url;
  }

  String token() throws IOException {
    return Files.readString(data.resolve("operator.token")).strip();
  }

  /// A login link that works once.
  void admit(Page page) throws IOException, InterruptedException {
    page.navigate(post("/api/login-links", "").path("url").asText());
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return postAs(token(), path, body);
  }

  JsonNode postAs(String token, String path, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s: %s", path, response.body()).isBetween(200, 201);
    return JSON.readTree(response.body());
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token())
            .build();
    return JSON.readTree(http.send(request, BodyHandlers.ofByteArray()).body());
  }

  /// The same for polling.
  JsonNode peek(String path) {
    try {
      return get(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
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

  void delete(String path) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + token())
            .DELETE()
            .build();
    var response = http.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isBetween(200, 204);
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
