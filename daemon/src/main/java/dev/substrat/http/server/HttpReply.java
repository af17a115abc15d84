package dev.substrat.http.server;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/// Response of a handler.
public sealed interface HttpReply {

  /// A value that is sent as JSON.
  record Json(int status, Object body, Map<String, String> headers) implements HttpReply {
    public Json(int status, Object body) {
      this(status, body, Map.of());
    }
  }

  /// Text of some other type: a page, a script, metrics.
  record Content(int status, String type, String body, Map<String, String> headers)
      implements HttpReply {}

  /// Bytes of some other type, such as an image.
  record Raw(String type, Supplier<byte[]> bytes, Map<String, String> headers)
      implements HttpReply {}

  /// Nothing but a status.
  record Empty(int status) implements HttpReply {}

  /// A stream of events that lasts until its writer returns or its reader goes.
  record Events(Writer writer) implements HttpReply {}

  /// The handler has already sent the response over its own stream.
  record Streamed() implements HttpReply {}

  /// Writes events until there are no more.
  @FunctionalInterface
  interface Writer {
    void write(SseStream out) throws IOException, InterruptedException;
  }

  static HttpReply ok(Object body) {
    return new Json(200, body);
  }

  static HttpReply created(Object body) {
    return new Json(201, body);
  }

  static HttpReply noContent() {
    return new Empty(204);
  }

  static HttpReply text(String type, String body) {
    return new Content(200, type, body, Map.of());
  }
}
