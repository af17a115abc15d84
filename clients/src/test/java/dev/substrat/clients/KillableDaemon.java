package dev.substrat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.server.DaemonMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/// Test fixture: a daemon in its own process, which is killed on close.
final class KillableDaemon implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String READY = "substrat ready ";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final Path data;
  private final String url;

  private KillableDaemon(Process process, Path data, String url) {
    this.process = process;
    this.data = data;
    this.url = url;
  }

  /// Tools of its agents may call this machine.
  static KillableDaemon start(Path data) throws IOException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                DaemonMain.class.getName(),
                "--data",
                data.toString(),
                "--port",
                "0",
                "--allow-host",
                "127.0.0.1",
                "--log",
                "warn")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String line = Objects.requireNonNullElse(lines.readLine(), "");
    assertThat(line).startsWith(READY);
    return new KillableDaemon(process, data, line.substring(READY.length()));
  }

  void create(String yaml) throws Exception {
    call("POST", "/api/agents", Json.text(Yaml.own(yaml)));
  }

  /// Asks an agent as the operator; returns the question's id.
  String ask(String agent, String text) throws Exception {
    var body = Json.object().put("text", text).put("sync", true);
    return call("POST", "/api/agents/" + agent + "/messages", Json.text(body))
        .path("message_id")
        .asText();
  }

  /// Waits for the answer to a question.
  JsonNode answer(String question) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      JsonNode state = call("GET", "/api/messages/" + question, "");
      if (state.has("reply")) {
        return state.path("reply");
      }
      assertThat(System.nanoTime()).as("waiting for the answer: %s", state).isLessThan(end);
      // Polls while the daemon is running.
      assertThat(process.waitFor(Duration.ofMillis(100))).as("dead").isFalse();
    }
  }

  /// Messages to an agent.
  List<JsonNode> mailOf(String agent) throws Exception {
    JsonNode messages = call("GET", "/api/agents/" + agent + "/messages", "").path("messages");
    return StreamSupport.stream(messages.spliterator(), false).toList();
  }

  /// Provider processes of this daemon's agents, including those left by an earlier daemon.
  List<Long> processes() {
    return ProviderProcesses.in(data);
  }

  private JsonNode call(String method, String path, String body) throws Exception {
    String operator = Files.readString(data.resolve("operator.token")).strip();
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", "Bearer " + operator)
            .method(method, BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as("%s %s", path, response.body()).isLessThan(300);
    return Json.own(response.body());
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
    http.shutdownNow();
  }
}
