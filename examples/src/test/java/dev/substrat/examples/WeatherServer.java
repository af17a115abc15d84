package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Remote MCP server with one tool, `weather`, whose definition a test can change.
final class WeatherServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile String description = "Tells the weather.";

  WeatherServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/mcp", this::serve);
    server.setExecutor(threads);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
  }

  /// Changes the description of the tool.
  void says(String other) {
    description = other;
  }

  /// How often the tool was called.
  int calls() {
    return calls.get();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      JsonNode asked = body.length == 0 ? Json.object() : Json.parse(body);
      ObjectNode result =
          switch (asked.path("method").asText()) {
            case "server/discover" -> discovered();
            case "tools/list" -> tools();
            case "tools/call" -> called();
            default -> null;
          };
      if (result == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      byte[] reply =
          Json.text(JsonRpc.result(asked.path("id"), result)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    }
  }

  private static ObjectNode discovered() {
    var result = Json.object().put("resultType", "complete");
    result.putArray("supportedVersions").add("2026-07-28");
    result.putObject("capabilities").putObject("tools");
    return result;
  }

  private ObjectNode tools() {
    var result = Json.object();
    var tool = result.putArray("tools").addObject();
    tool.put("name", "weather").put("description", description);
    tool.putObject("inputSchema").put("type", "object").putObject("properties");
    return result;
  }

  private ObjectNode called() {
    calls.incrementAndGet();
    var result = Json.object();
    result.putArray("content").addObject().put("type", "text").put("text", "it rains");
    return result;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }
}
