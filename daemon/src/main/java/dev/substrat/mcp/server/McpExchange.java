package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.SseStream;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.McpLogLevel;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.McpHeaders;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.timer.TimeoutScheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One MCP request over HTTP while it is processed. The response is plain JSON; if something must
/// be sent before the result, it becomes an event stream, provided the client accepts one.
///
/// Safe for many threads: the one that serves the request, those that report progress, and the one
/// that checks whether the client is still connected.
final class McpExchange implements ClientChannel {
  static final String PROTOCOL = McpHeaders.META;
  private static final String KEY = "substrat/idempotencyKey";

  private static final String STREAM = "text/event-stream";

  /// A disconnect is noticed by the second failed write.
  private static final Duration BEAT = Duration.ofMillis(500);

  private final HttpExchange exchange;
  private final McpClientInfo client;
  private final ClientMessage.ClientRequest request;
  private final @Nullable McpLogLevel level;
  private final boolean inOnePiece;
  private ObjectNode answers = Json.object();
  private ObjectNode state = Json.object();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Runnable> whenGone = new ArrayList<>();
  private boolean streaming;
  private @Nullable TimeoutScheduler watch;
  private boolean isLeft;

  /// `level` is the minimum log level for notifications; missing means none.
  McpExchange(
      HttpExchange exchange,
      McpClientInfo client,
      ClientMessage.ClientRequest request,
      @Nullable McpLogLevel level,
      boolean inOnePiece) {
    this.exchange = exchange;
    this.client = client;
    this.request = request;
    this.level = level;
    this.inOnePiece = inOnePiece;
  }

  /// The same value is a different key for another tool.
  static @Nullable String key(HttpExchange exchange, ClientMessage.ClientRequest request) {
    JsonNode own = request.meta().path(KEY);
    String word =
        own.isTextual() ? own.textValue() : exchange.header("Idempotency-Key").orElse(null);
    return word == null ? null : request.params().path("name").asText() + "/" + word;
  }

  /// Starts another round with the answers so far.
  void startRound(ObjectNode newAnswers, ObjectNode newState) {
    answers = newAnswers;
    state = newState;
  }

  @Override
  public McpClientInfo client() {
    return client;
  }

  @Override
  public ObjectNode meta() {
    return request.meta() instanceof ObjectNode meta ? meta : Json.object();
  }

  @Override
  public @Nullable String idempotencyKey() {
    return key(exchange, request);
  }

  @Override
  public ObjectNode answers() {
    return answers;
  }

  @Override
  public ObjectNode state() {
    return state;
  }

  @Override
  public void progress(double done, double total, String message) {
    JsonNode token = request.meta().path("progressToken");
    if ((token.isTextual() || token.isNumber()) && canStream()) {
      var params = Json.object();
      params.set("progressToken", token);
      params.put("progress", done).put("message", message);
      if (total > 0) {
        params.put("total", total);
      }
      write(JsonRpc.notification("notifications/progress", params));
    }
  }

  @Override
  public void log(McpLogLevel weight, JsonNode data) {
    if (level != null && weight.compareTo(level) >= 0 && canStream()) {
      var params = Json.object().put("level", weight.toString()).put("logger", "substrat");
      params.set("data", data);
      write(JsonRpc.notification("notifications/message", params));
    }
  }

  /// Messages after the result are dropped.
  private synchronized void write(ObjectNode notification) {
    if (over.getCount() > 0) {
      send(notification);
    }
  }

  void requireStream() {
    if (!canStream()) {
      throw ProtocolError.notNow("this needs a client that accepts text/event-stream");
    }
  }

  private boolean canStream() {
    String accepted = exchange.header("Accept").orElse("");
    return !inOnePiece && (accepted.contains(STREAM) || accepted.contains("*/*"));
  }

  @Override
  public void whenGone(Runnable work) {
    boolean isGone;
    synchronized (whenGone) {
      isGone = isLeft;
      whenGone.add(work);
    }
    if (isGone) {
      work.run();
    }
  }

  /// The client no longer needs the result.
  void leave() {
    List<Runnable> all;
    synchronized (whenGone) {
      all = isLeft ? List.of() : List.copyOf(whenGone);
      isLeft = true;
    }
    all.forEach(Runnable::run);
  }

  boolean isLeft() {
    synchronized (whenGone) {
      return isLeft;
    }
  }

  /// Sends a message before the result.
  synchronized void send(ObjectNode message) {
    watch();
    streaming = true;
    SseStream out = exchange.stream();
    try {
      out.send("message", Json.bytes(message));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void watch() {
    if (watch == null) {
      var admission = new StreamAccessCheck(exchange);
      watch = TimeoutScheduler.schedule(BEAT, "mcp-watch", () -> watchOn(admission));
    }
  }

  /// Until there is a result, or access was revoked. In the modern era a disconnect cancels the
  /// request; in the legacy era the client may have lost the connection and resume.
  private void watchOn(StreamAccessCheck admission) {
    boolean isThere = true;
    try {
      do {
        isThere = isThere && isReached();
        if (!admission.holds() || (!isThere && client.revision().isModern())) {
          leave();
        }
      } while (!isLeft() && !over.await(BEAT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isReached() {
    try {
      beat();
      return true;
    } catch (RuntimeException e) {
      // Every exception means that the stream cannot be written to.
      return false;
    }
  }

  /// Checks whether the client is still connected, if it accepts data before the result.
  synchronized void beat() {
    if (over.getCount() == 0) {
      return;
    }
    streaming |= hearsWhetherWeAreThere();
    if (!streaming) {
      return;
    }
    try {
      exchange.stream().comment("still working");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// In the modern era a disconnect cancels the request, and it is noticed only by writing. So a
  /// slow response becomes a stream, if the client accepts one.
  private boolean hearsWhetherWeAreThere() {
    return !inOnePiece
        && client.revision().isModern()
        && exchange.header("Accept").orElse("").contains(STREAM);
  }

  synchronized HttpReply answer(int status, ObjectNode message, Map<String, String> headers) {
    over.countDown();
    if (!streaming) {
      return new HttpReply.JsonReply(status, message, headers);
    }
    send(message);
    return end();
  }

  /// Nothing is sent after this.
  synchronized void close() {
    over.countDown();
    if (watch != null) {
      watch.cancel();
    }
  }

  /// Ends a stream without a result, because the client no longer waits.
  synchronized HttpReply end() {
    over.countDown();
    if (inOnePiece) {
      return new HttpReply.EmptyReply(202);
    }
    try {
      exchange.stream().end();
      return new HttpReply.StreamedReply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
