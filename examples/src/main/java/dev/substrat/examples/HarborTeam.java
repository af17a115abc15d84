package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Yaml;
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
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Team harbor on a daemon, driven from outside like anybody else would: over HTTP.
final class HarborTeam implements AutoCloseable {
  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final String token;

  HarborTeam(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /// How a question went.
  record Story(String answer, int messages, int turns, Duration took) {

    String summary() {
      return "%d messages, %d turns, %.1f s; each was on disk before it was acknowledged."
          .formatted(messages, turns, took.toMillis() / 1000.0);
    }
  }

  void assemble() throws InterruptedException {
    assemble(Yaml.own(resource("/teams/harbor.yaml")).path("agents"), null);
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

  /// Asks mira and follows what happens until her answer is there.
  Story ask(String question, Consumer<JsonNode> told) throws InterruptedException {
    long start = System.nanoTime();
    try (var lines = follow()) {
      String id =
          post("/api/agents/mira/messages", Json.object().put("text", question).put("sync", true))
              .path("message_id")
              .asText();
      int messages = 0;
      int turns = 0;
      String answer = "";
      while (true) {
        JsonNode event = next(lines);
        told.accept(event);
        switch (event.path("kind").asText()) {
          case "message_sent" -> {
            messages++;
            if (event.path("in_reply_to").asText().equals(id)) {
              answer = event.path("text").asText();
            }
          }
          case "turn_ended" -> {
            turns++;
            if (!answer.isEmpty()) {
              return new Story(
                  answer, messages, turns, Duration.ofNanos(System.nanoTime() - start));
            }
          }
          default -> {}
        }
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

  private JsonNode post(String path, ObjectNode body) throws InterruptedException {
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

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("Authorization", "Bearer " + token);
  }

  private static String resource(String name) {
    try (var stream = HarborTeam.class.getResourceAsStream(name)) {
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
