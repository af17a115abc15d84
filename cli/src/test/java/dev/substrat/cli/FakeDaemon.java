package dev.substrat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/// Fake daemon with fixed responses over real HTTP and a real data directory.
final class FakeDaemon implements AutoCloseable {
  /// In the daemon's format: prefix, token id, secret.
  static final String TOKEN = "substrat_harbor_secret";

  record Answer(int status, String body) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Supplier<Answer>> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile Answer otherwise =
      new Answer(404, "{\"error\":true,\"code\":\"NOT_FOUND\",\"message\":\"no\",\"hint\":\"\"}");

  FakeDaemon(Path data) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    Files.writeString(
        data.resolve("daemon.json"),
        "{\"url\":\"http://127.0.0.1:%d\",\"socket\":\"\",\"pid\":%d,\"version\":\"1\"}"
            .formatted(server.getAddress().getPort(), ProcessHandle.current().pid()));
    Files.writeString(data.resolve("operator.token"), TOKEN + "\n");
  }

  FakeDaemon answers(String request, int status, String body) {
    return answers(request, () -> new Answer(status, body));
  }

  FakeDaemon answers(String request, Supplier<Answer> answer) {
    answers.put(request, answer);
    return this;
  }

  /// Response to all other requests.
  FakeDaemon answersOtherwise(int status, String body) {
    otherwise = new Answer(status, body);
    return this;
  }

  /// Method, path and body of the requests, in order.
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String asked = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      requests.add((asked + " " + body).strip());
      // Its summaries are whole.
      String known =
          asked.replaceAll("([?&])view=summary&", "$1").replaceAll("[?&]view=summary", "");
      Answer answer = answers.getOrDefault(known, () -> otherwise).get();
      if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        answer = new Answer(401, "{\"error\":true,\"code\":\"UNAUTHORIZED\",\"message\":\"who?\"}");
      }
      // Length 0 means chunked, -1 no body; both forms are tested.
      exchange.sendResponseHeaders(answer.status(), answer.status() == 204 ? -1 : 0);
      exchange.getResponseBody().write(answer.body().getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    threads.close();
  }
}
