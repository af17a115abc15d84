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

/// HTTP client of the daemon with the operator's token.
final class DemoClient implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final String token;

  DemoClient(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /// Creates the agents and spaces of an example team file.
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

  /// A link that opens the console in a browser, once.
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

  /// Action that runs after the event stream is open, so that no event is missed.
  interface ClientAction {
    void run() throws InterruptedException;
  }

  /// Runs an action and passes all following events to `isEnough`, until it returns true.
  void follow(ClientAction action, Predicate<JsonNode> isEnough) throws InterruptedException {
    try (var lines = openStream()) {
      action.run();
      while (!isEnough.test(next(lines))) {
        // The predicate handles the event.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Opens the event stream; its first event confirms that it is open.
  private BufferedReader openStream() throws IOException, InterruptedException {
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
    throw new IOException("the daemon closed the event stream");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Authorization", "Bearer " + token);
  }

  private static String resource(String name) {
    try (var stream = DemoClient.class.getResourceAsStream(name)) {
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
