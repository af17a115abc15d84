package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Routes a request to its dialect by path.
record DialectRouter(ModelScript script, CountDownLatch closed) implements HttpHandler {
  /// Value of the HTTP server for an unknown length.
  private static final long UNTIL_THE_END = 0;

  private static final Pattern GEMINI = Pattern.compile(".*/models/([^/]+):(\\w+)");

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      Matcher gemini = GEMINI.matcher(path);
      String key = key(exchange.getRequestHeaders(), exchange.getRequestURI().getRawQuery());
      if (path.endsWith("/models")) {
        send(exchange, 200, models());
      } else if (path.endsWith("count_tokens") || path.endsWith(":countTokens")) {
        send(exchange, 200, DialectJson.object().put("input_tokens", 100).put("totalTokens", 100));
      } else if (path.endsWith("/chat/completions")) {
        converse(exchange, new ChatDialect(), new ModelDialect.RequestHead("", false, key), body);
      } else if (path.endsWith("/responses")) {
        converse(
            exchange, new ResponsesDialect(), new ModelDialect.RequestHead("", false, key), body);
      } else if (path.endsWith("/messages")) {
        converse(
            exchange, new AnthropicDialect(), new ModelDialect.RequestHead("", false, key), body);
      } else if (gemini.matches()) {
        boolean isStreamed = gemini.group(2).startsWith("stream");
        var head = new ModelDialect.RequestHead(gemini.group(1), isStreamed, key);
        converse(exchange, new GeminiDialect(), head, body);
      } else {
        send(exchange, 404, DialectJson.object().put("error", "no API at " + path));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String key(Headers headers, String query) {
    String bearer = headers.getFirst("Authorization");
    return Stream.of(
            bearer == null ? "" : bearer.replaceFirst("(?i)^bearer ", ""),
            or(headers.getFirst("x-api-key")),
            or(headers.getFirst("x-goog-api-key")),
            query != null && query.contains("key=")
                ? query.replaceFirst(".*key=([^&]*).*", "$1")
                : "")
        .filter(key -> !key.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String or(@Nullable String value) {
    return value == null ? "" : value;
  }

  /// In the forms of all makers at once.
  private static ObjectNode models() {
    var list = DialectJson.object().put("object", "list").put("has_more", false);
    var inData = list.putArray("data");
    var inModels = list.putArray("models");
    for (String name : List.of("fake-1", "fake-2")) {
      inData
          .addObject()
          .put("id", name)
          .put("object", "model")
          .put("type", "model")
          .put("display_name", name)
          .put("created", 1_767_225_600)
          .put("created_at", "2026-01-01T00:00:00Z")
          .put("owned_by", "scripted");
      inModels
          .addObject()
          .put("name", "models/" + name)
          .putArray("supportedGenerationMethods")
          .add("generateContent");
    }
    return list;
  }

  private void converse(
      HttpExchange exchange, ModelDialect dialect, ModelDialect.RequestHead head, byte[] body)
      throws IOException, InterruptedException {
    JsonNode json = DialectJson.parse(body);
    ModelPrompt asked = dialect.read(head, json);
    Optional<String> complaint = dialect.complaint(asked);
    switch (complaint.isPresent()
        ? new ScriptedAnswer.ErrorAnswer(400, complaint.get(), null)
        : script.answer(asked)) {
      case TextAnswer says -> say(exchange, dialect, asked, says, Duration.ZERO);
      case ScriptedAnswer.DelayedAnswer slow ->
          say(exchange, dialect, asked, slow.says(), slow.pause());
      case ScriptedAnswer.TruncatedAnswer cut -> {
        List<String> pieces = dialect.pieces(asked, cut.says());
        // Announces more bytes than it sends, so that the client sees a truncated response.
        begin(exchange, 1 + String.join("", pieces).getBytes(StandardCharsets.UTF_8).length);
        stream(exchange, pieces.subList(0, Math.min(cut.pieces(), pieces.size())), Duration.ZERO);
      }
      case ScriptedAnswer.ErrorAnswer refused -> {
        if (refused.retryAfter() != null) {
          exchange.getResponseHeaders().set("Retry-After", refused.retryAfter());
        }
        send(exchange, refused.status(), dialect.error(refused.status(), refused.message()));
      }
      case ScriptedAnswer.ContextTooLong _ -> send(exchange, 400, dialect.tooLong());
      case ScriptedAnswer.MalformedAnswer _ -> garble(exchange, asked.isStreamed());
      case ScriptedAnswer.NoAnswer _ -> closed.await();
    }
  }

  private void say(
      HttpExchange exchange,
      ModelDialect dialect,
      ModelPrompt asked,
      TextAnswer says,
      Duration pause)
      throws IOException, InterruptedException {
    if (asked.isStreamed()) {
      begin(exchange, UNTIL_THE_END);
      stream(exchange, dialect.pieces(asked, says), pause);
      exchange.getResponseBody().close();
    } else {
      closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
      send(exchange, 200, dialect.whole(asked, says));
    }
  }

  private static void begin(HttpExchange exchange, long length) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, length);
  }

  private void stream(HttpExchange exchange, List<String> pieces, Duration pause)
      throws IOException, InterruptedException {
    for (String piece : pieces) {
      if (!pause.isZero() && closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
      // In two parts, as networks do, wherever that is: in the middle of a character perhaps.
      byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
      int middle = middle(bytes);
      write(exchange, bytes, 0, middle);
      write(exchange, bytes, middle, bytes.length - middle);
    }
  }

  /// The inside of the first character that has several bytes, or half of it all.
  private static int middle(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] < 0) {
        return i + 1;
      }
    }
    return bytes.length / 2;
  }

  private static void write(HttpExchange exchange, byte[] bytes, int from, int length)
      throws IOException {
    exchange.getResponseBody().write(bytes, from, length);
    exchange.getResponseBody().flush();
  }

  private static void garble(HttpExchange exchange, boolean isStreamed) throws IOException {
    exchange
        .getResponseHeaders()
        .set("Content-Type", isStreamed ? "text/event-stream" : "application/json");
    byte[] bytes =
        (isStreamed ? "data: {\"choices\": [{\n\n" : "{\"choices\": [")
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
