package dev.substrat.mcp.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Fake MCP server over HTTP. It follows the protocol unless a test changes its responses.
public final class FakeMcpServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Reaction> reactions = new ConcurrentHashMap<>();
  private final List<Heard> heard = new CopyOnWriteArrayList<>();
  private final List<ObjectNode> tools = new CopyOnWriteArrayList<>();

  private FakeMcpServer(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::serve);
    server.setExecutor(threads);
    server.start();
    on("tools/list", turn -> turn.result(list()));
    on("tools/call", turn -> turn.result(said("it rains")));
    on("ping", turn -> turn.result(Json.object()));
    on("GET", turn -> turn.status(405, ""));
    on("DELETE", turn -> turn.status(200, ""));
    tools.add(tool("weather", "Tells the weather."));
  }

  /// Handler of a request: by its JSON-RPC method, or by `GET` or `DELETE`.
  @FunctionalInterface
  public interface Reaction {
    void to(Turn turn) throws IOException;
  }

  /// A received message.
  public record Heard(String http, JsonNode message, Map<String, String> headers) {
    public String method() {
      return message.path("method").asText(http);
    }
  }

  /// A server of the modern era.
  public static FakeMcpServer modern() {
    return modern(0);
  }

  static FakeMcpServer modern(int port) {
    var server = new FakeMcpServer(port);
    server.on(
        "server/discover",
        turn -> {
          var result = Json.object().put("resultType", "complete");
          result.putArray("supportedVersions").add("2026-07-28");
          result.putObject("capabilities").putObject("tools").put("listChanged", true);
          turn.result(result);
        });
    server.on("subscriptions/listen", turn -> turn.status(404, ""));
    return server;
  }

  /// A server of the legacy era, with this revision and a session.
  public static FakeMcpServer legacy(String revision) {
    var server = new FakeMcpServer(0);
    server.on(
        "server/discover",
        turn -> turn.status(400, Json.text(error(turn.id(), -32601, "what is that?"))));
    server.on(
        "initialize",
        turn -> {
          var result = Json.object().put("protocolVersion", revision);
          result.putObject("capabilities").putObject("tools").put("listChanged", true);
          result.putObject("serverInfo").put("name", "strange").put("version", "1");
          turn.header("Mcp-Session-Id", "session-" + server.count("initialize"));
          turn.result(result);
        });
    return server;
  }

  public static ObjectNode tool(String name, String description) {
    var tool = Json.object().put("name", name).put("description", description);
    tool.putObject("inputSchema").put("type", "object").putObject("properties");
    return tool;
  }

  public static ObjectNode said(String text) {
    var result = Json.object();
    result.putArray("content").addObject().put("type", "text").put("text", text);
    return result;
  }

  static ObjectNode error(JsonNode id, int code, String message) {
    return JsonRpc.error(id, Json.object().put("code", code).put("message", message));
  }

  public FakeMcpServer on(String method, Reaction reaction) {
    reactions.put(method, reaction);
    return this;
  }

  /// These are all the tools it has from now on.
  public FakeMcpServer offers(ObjectNode... offered) {
    tools.clear();
    tools.addAll(List.of(offered));
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
  }

  public String host() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /// Everything that was sent to it, in order.
  public List<Heard> heard() {
    return heard;
  }

  public int count(String method) {
    return (int) heard.stream().filter(one -> one.method().equals(method)).count();
  }

  Heard last(String method) {
    return heard.stream().filter(one -> one.method().equals(method)).toList().getLast();
  }

  private ObjectNode list() {
    var result = Json.object();
    result.putArray("tools").addAll(tools);
    return result;
  }

  private void serve(HttpExchange exchange) {
    var turn = new Turn(exchange);
    heard.add(turn.heard());
    try (exchange) {
      Reaction reaction = reactions.get(turn.heard().method());
      if (reaction != null) {
        reaction.to(turn);
      } else {
        turn.status(202, "");
      }
    } catch (IOException e) {
      // The client has disconnected.
    }
  }

  /// One request, while it is being answered.
  public static final class Turn {
    private final HttpExchange exchange;
    private final Heard heard;

    Turn(HttpExchange exchange) {
      this.exchange = exchange;
      var headers = new ConcurrentHashMap<String, String>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      try {
        byte[] body = exchange.getRequestBody().readAllBytes();
        this.heard =
            new Heard(
                exchange.getRequestMethod(),
                body.length == 0 ? Json.object() : Json.parse(body),
                Map.copyOf(headers));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public Heard heard() {
      return heard;
    }

    public JsonNode id() {
      return heard.message().path("id");
    }

    public JsonNode params() {
      return heard.message().path("params");
    }

    public void header(String name, String value) {
      exchange.getResponseHeaders().set(name, value);
    }

    public void result(ObjectNode result) throws IOException {
      json(Json.text(JsonRpc.result(id(), result)));
    }

    void json(String body) throws IOException {
      header("Content-Type", "application/json");
      status(200, body);
    }

    public void status(int status, String body) throws IOException {
      byte[] bytes = body.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }

    /// Answers with a stream of events.
    public Events events() throws IOException {
      header("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      return new Events(exchange.getResponseBody());
    }
  }

  public record Events(OutputStream out) {
    public void raw(String text) throws IOException {
      out.write(text.getBytes(UTF_8));
      out.flush();
    }

    public void send(ObjectNode message) throws IOException {
      raw("event: message\ndata: " + Json.text(message) + "\n\n");
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
