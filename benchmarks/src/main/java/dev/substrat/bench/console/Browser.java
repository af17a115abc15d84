package dev.substrat.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The installed Chromium, controlled over its DevTools protocol.
final class Browser implements AutoCloseable {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  private static final String LISTENING = "DevTools listening on ";
  private static final int TIMEOUT_SECONDS = 30;

  /// Both are reported by the page itself, from the start of the request.
  private static final String TIMES =
      """
      new Promise(done => {
        const look = () => {
          const paint = performance.getEntriesByName("first-contentful-paint")[0];
          const page = performance.getEntriesByType("navigation")[0];
          if (paint && page.domContentLoadedEventEnd > 0)
            done(JSON.stringify({ paint: paint.startTime, ready: page.domContentLoadedEventEnd }));
          else setTimeout(look, 20);
        };
        look();
      })
      """;

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
  private final WebSocket socket;
  private String session = "";
  private int asked;

  /// When the first of a page was painted, and when its scripts had run and it could be used, in
  /// milliseconds since it was asked for.
  record PageLoadTimes(double paint, double ready) {}

  private Browser(Process process, URI address) throws InterruptedException {
    this.process = process;
    this.socket = http.newWebSocketBuilder().buildAsync(address, new DevToolsListener()).join();
    String target =
        ask("Target.createTarget", Json.object().put("url", "about:blank"))
            .path("targetId")
            .asText();
    session =
        ask("Target.attachToTarget", Json.object().put("targetId", target).put("flatten", true))
            .path("sessionId")
            .asText();
    ask("Network.enable", Json.object());
  }

  /// Empty where no browser is installed.
  static Optional<Browser> find(Path folder) throws IOException, InterruptedException {
    Optional<Path> program = PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    return program.isEmpty() ? Optional.empty() : Optional.of(start(program.get(), folder));
  }

  private static Browser start(Path program, Path folder) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(program.toString(), "--headless=new", "--no-sandbox"));
    command.addAll(List.of("--remote-debugging-port=0", "--user-data-dir=" + folder));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(LISTENING)) {
        // The output must be read, otherwise the process blocks on a full pipe.
        Thread.ofVirtual().start(() -> said.lines().forEach(_ -> {}));
        return new Browser(process, URI.create(line.substring(LISTENING.length()).strip()));
      }
    }
    throw new IllegalStateException(program + " ended without a word");
  }

  /// Opens a page and waits until it is there.
  void open(URI page) throws InterruptedException {
    time(page);
  }

  /// Opens a page with an empty cache.
  PageLoadTimes timeUncached(URI page) throws InterruptedException {
    ask("Network.setCacheDisabled", Json.object().put("cacheDisabled", true));
    return time(page);
  }

  private PageLoadTimes time(URI page) throws InterruptedException {
    ask("Page.navigate", Json.object().put("url", page.toString()));
    var script = Json.object().put("expression", TIMES);
    script.put("awaitPromise", true).put("returnByValue", true);
    String json = ask("Runtime.evaluate", script).path("result").path("value").asText();
    JsonNode times = Json.own(json);
    return new PageLoadTimes(times.path("paint").asDouble(), times.path("ready").asDouble());
  }

  private JsonNode ask(String method, ObjectNode parameters) throws InterruptedException {
    asked++;
    var command = Json.object().put("id", asked).put("method", method);
    command.set("params", parameters);
    if (!session.isEmpty()) {
      command.put("sessionId", session);
    }
    socket.sendText(Json.text(command), true).join();
    while (true) {
      JsonNode answer = heard.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (answer == null || answer.has("error")) {
        throw new IllegalStateException(method + " was answered " + answer);
      }
      if (answer.path("id").asInt() == asked) {
        return answer.path("result");
      }
    }
  }

  /// Joins messages that arrive in parts.
  private final class DevToolsListener implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
      parts.append(text);
      if (isLast) {
        heard.add(Json.own(parts.toString()));
        parts.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    process.destroy();
  }
}
