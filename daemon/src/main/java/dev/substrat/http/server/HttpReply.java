package dev.substrat.http.server;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/// Response of a handler.
public sealed interface HttpReply {

  /// A value as JSON.
  record Json(int status, Object body, Map<String, String> headers) implements HttpReply {
    public Json(int status, Object body) {
      this(status, body, Map.of());
    }
  }

  /// Text of another type: a page, a script, metrics.
  record Content(int status, String type, String body, Map<String, String> headers)
      implements HttpReply {}

  /// Bytes of another type, such as an image.
  record Raw(String type, Supplier<byte[]> bytes, Map<String, String> headers)
      implements HttpReply {}

  /// A status without a body.
  record Empty(int status) implements HttpReply {}

  /// An event stream, until the writer returns or the client disconnects.
  record Events(Writer writer) implements HttpReply {}

  /// The handler has already sent the response over its own stream.
  record Streamed() implements HttpReply {}

  /// Writes the events of a stream.
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
