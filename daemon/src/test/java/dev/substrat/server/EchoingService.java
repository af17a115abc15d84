package dev.substrat.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/// A service on loopback that answers every request with the same text: as a result, as a stream,
/// as an image, or as an error.
final class EchoingService implements AutoCloseable {
  private final HttpServer server;
  private final String words;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  /// `words` is a JSON object.
  EchoingService(String words) throws IOException {
    this.words = words;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> answer(exchange, 200, "application/json", words));
    server.createContext("/text", exchange -> answer(exchange, 200, "text/plain", words));
    server.createContext(
        "/lines", exchange -> answer(exchange, 200, "application/x-ndjson", words + "\n" + words));
    server.createContext("/refuse", exchange -> answer(exchange, 401, "application/json", words));
    server.createContext("/images", exchange -> answer(exchange, 200, "application/json", image()));
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /// Paths and bodies of all requests.
  String heard() {
    return String.join("\n", heard);
  }

  private String image() {
    String said = words.replace("\\", "\\\\").replace("\"", "\\\"");
    return "{\"data\":[{\"b64_json\":\"iVBORw0KGgo=\",\"revised_prompt\":\"%s\"}]}".formatted(said);
  }

  private void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    try (exchange) {
      heard.add(
          "%s %s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  exchange.getRequestHeaders().entrySet(),
                  new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      byte[] bytes = text.getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
