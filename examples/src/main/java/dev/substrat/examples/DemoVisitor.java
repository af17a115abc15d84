package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Somebody at a daemon's door, like anybody else: over HTTP, with the operator's token.
final class DemoVisitor implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final String token;

  DemoVisitor(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /// Makes the agents and the spaces of one of our team files.
  void assemble(String team) throws InterruptedException {
    JsonNode file = Yaml.own(resource("/teams/" + team));
    assemble(file.path("agents"), null);
    for (JsonNode space : file.path("spaces")) {
      post("/api/spaces", space.deepCopy());
    }
  }

  private void assemble(JsonNode agents, @Nullable String parent) throws InterruptedException {
    for (JsonNode agent : agents) {
      ObjectNode config = agent.deepCopy();
      config.remove("children");
      if (parent != null) {
        config.put("parent", parent);
      }
      String id = post("/api/agents", config).path("id").asText();
      assemble(agent.path("children"), id);
    }
  }

  /// Opens the console in a browser, once.
  String loginLink() throws InterruptedException {
    return post("/api/login-links", Json.object()).path("url").asText();
  }

  JsonNode post(String path, ObjectNode body) throws InterruptedException {
    try {
      var response =
          http.send(
              request(path).POST(BodyPublishers.ofString(Json.text(body))).build(),
              BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(response.body());
      }
      return Json.own(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What to do once somebody listens, so that nothing is missed.
  interface Deed {
    void happen() throws InterruptedException;
  }

  /// Does something and hears all that follows from it, until it has heard enough.
  void hear(Deed deed, Predicate<JsonNode> isEnough) throws InterruptedException {
    try (var lines = follow()) {
      deed.happen();
      while (!isEnough.test(next(lines))) {
        // Whoever asked is told of each event by its own question.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The event stream from now on; its first event says that it is there.
  private BufferedReader follow() throws IOException, InterruptedException {
    InputStream stream =
        http.send(request("/api/events").GET().build(), BodyHandlers.ofInputStream()).body();
    var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    next(lines);
    return lines;
  }

  private static JsonNode next(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("data: ")) {
        return Json.own(line.substring("data: ".length()));
      }
    }
    throw new IOException("the daemon went away");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Authorization", "Bearer " + token);
  }

  private static String resource(String name) {
    try (var stream = DemoVisitor.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
