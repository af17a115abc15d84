package dev.substrat.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.testkit.Prerequisite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The installed Chromium with one page, controlled over its DevTools protocol. The tests of the
/// console use Playwright, in a module of their own: its libraries must not meet those of the
/// daemon.
final class HeadlessBrowser implements AutoCloseable {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final WebSocket page;
  private final Queue<String> scriptErrors = new ConcurrentLinkedQueue<>();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private int commands;

  HeadlessBrowser(Path profile) throws Exception {
    Optional<Path> program = PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    Path executable = Prerequisite.require(program, "chromium is not installed");
    this.process =
        new ProcessBuilder(
                executable.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    this.page = http.newWebSocketBuilder().buildAsync(page(port()), new Reader()).join();
    send("Runtime.enable", Map.of()).join();
  }

  /// From the line `DevTools listening on ws://127.0.0.1:PORT/...` on stderr.
  private int port() throws IOException {
    var lines = process.errorReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("DevTools listening on ")) {
        // The rest is read too, so that the browser never waits for a full pipe.
        Thread.ofVirtual()
            .start(() -> {
              try (Stream<String> rest = lines.lines()) {
                rest.forEach(_ -> {});
              }
            });
        return URI.create(line.substring("DevTools listening on ".length())).getPort();
      }
    }
    throw new IOException("the browser did not start");
  }

  private URI page(int port) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list")).build();
    for (JsonNode target :
        DaemonClient.JSON.readTree(http.send(request, BodyHandlers.ofString()).body())) {
      if (target.path("type").asText().equals("page")) {
        return URI.create(target.path("webSocketDebuggerUrl").asText());
      }
    }
    throw new IOException("the browser has no page");
  }

  /// Begins to load a page. The browser does not answer if another navigation replaces this one, so
  /// this does not wait.
  void navigate(String url) throws Exception {
    var _ = send("Page.navigate", Map.of("url", url));
  }

  /// Whether the page shows `expected` in time.
  boolean awaitText(String expected) throws Exception {
    long end = System.nanoTime() + RunningDaemon.LIMIT.toNanos();
    while (!text().contains(expected)) {
      if (System.nanoTime() > end) {
        return false;
      }
      process.waitFor(100, TimeUnit.MILLISECONDS);
    }
    return true;
  }

  /// The text of the page; empty while another page is loading.
  String text() throws Exception {
    try {
      return send("Runtime.evaluate", Map.of("expression", "document.body.innerText"))
          .get(5, TimeUnit.SECONDS)
          .at("/result/result/value")
          .asText();
    } catch (TimeoutException _) {
      return "";
    }
  }

  /// Uncaught exceptions of scripts on any page.
  Queue<String> scriptErrors() {
    return scriptErrors;
  }

  private CompletableFuture<JsonNode> send(String method, Map<String, ?> parameters)
      throws IOException {
    var answer = new CompletableFuture<JsonNode>();
    answers.put(++commands, answer);
    var command = Map.of("id", commands, "method", method, "params", parameters);
    page.sendText(DaemonClient.JSON.writeValueAsString(command), true).join();
    return answer;
  }

  /// Completes the command that an answer belongs to, and collects the errors of scripts.
  private final class Reader implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        read(parts.toString());
        parts.setLength(0);
      }
      socket.request(1);
      return null;
    }

    private void read(String text) {
      try {
        JsonNode message = DaemonClient.JSON.readTree(text);
        if (message.has("id")) {
          Objects.requireNonNull(answers.remove(message.path("id").asInt())).complete(message);
        } else if (message.path("method").asText().equals("Runtime.exceptionThrown")) {
          scriptErrors.add(message.at("/params/exceptionDetails").toString());
        }
      } catch (IOException e) {
        scriptErrors.add("unreadable: " + text);
      }
    }
  }

  @Override
  public void close() {
    page.abort();
    http.shutdownNow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }
}
