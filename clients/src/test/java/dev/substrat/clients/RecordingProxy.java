package dev.substrat.clients;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/// Passes requests on to a daemon and remembers them as `METHOD /path`. One request at a time.
final class RecordingProxy implements AutoCloseable {
  private final String daemon;
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer server;
  private final List<String> requests = new ArrayList<>();

  RecordingProxy(String daemon) throws IOException {
    this.daemon = daemon;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::pass);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Requests since the last call.
  synchronized List<String> requests() {
    var all = List.copyOf(requests);
    requests.clear();
    return all;
  }

  private synchronized void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI target = exchange.getRequestURI();
      requests.add(exchange.getRequestMethod() + " " + target.getRawPath());
      byte[] body = exchange.getRequestBody().readAllBytes();
      var request =
          HttpRequest.newBuilder(URI.create(daemon + target))
              .method(
                  exchange.getRequestMethod(),
                  body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
      for (String name : List.of("Authorization", "Content-Type", "Accept", "Idempotency-Key")) {
        String value = exchange.getRequestHeaders().getFirst(name);
        if (value != null) {
          request.header(name, value);
        }
      }
      var response = http.send(request.build(), BodyHandlers.ofByteArray());
      response
          .headers()
          .firstValue("Content-Type")
          .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
      int length = response.body().length;
      exchange.sendResponseHeaders(response.statusCode(), length == 0 ? -1 : length);
      exchange.getResponseBody().write(response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    http.shutdownNow();
  }
}
