package dev.substrat.toolset.custom;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// Fake service on loopback: stores requests and sends configured responses.
final class FakeService implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Reply> replies = new ConcurrentHashMap<>();
  private final Map<String, Consumer<Request>> before = new ConcurrentHashMap<>();
  final Queue<Request> requests = new ConcurrentLinkedQueue<>();

  /// A received request; header names are in lower case.
  record Request(String method, String uri, Map<String, String> headers, String body) {}

  /// A response; without a location it is no redirect.
  record Reply(int status, String type, String body, String location) {}

  FakeService() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Sets the response of `path`.
  void answers(String path, int status, String type, String body) {
    replies.put(path, new Reply(status, type, body, ""));
  }

  /// Redirects `path`.
  void redirects(String path, int status, String location) {
    replies.put(path, new Reply(status, "", "", location));
  }

  /// Runs an action before `path` is answered.
  void before(String path, Consumer<Request> work) {
    before.put(path, work);
  }

  Request last() {
    return requests.stream().reduce((_, later) -> later).orElseThrow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = new LinkedHashMap<String, String>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) ->
              headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String uri = exchange.getRequestURI().toString();
      var request = new Request(exchange.getRequestMethod(), uri, headers, body);
      requests.add(request);
      before.getOrDefault(exchange.getRequestURI().getPath(), _ -> {}).accept(request);
      Reply reply =
          replies.getOrDefault(
              exchange.getRequestURI().getPath(),
              new Reply(200, "application/json", "{\"ok\":true}", ""));
      byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
      if (!reply.type().isEmpty()) {
        exchange.getResponseHeaders().set("Content-Type", reply.type());
      }
      if (!reply.location().isEmpty()) {
        exchange.getResponseHeaders().set("Location", reply.location());
      }
      exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
