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

/// Somebody else's service on loopback that says the same words to everybody: as a result, bit by
/// bit, with an image, or to refuse them.
final class Parrot implements AutoCloseable {
  private final HttpServer server;
  private final String words;
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  /// `words` are an object in JSON.
  Parrot(String words) throws IOException {
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

  /// Where everybody went and what they brought.
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
