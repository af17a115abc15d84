package dev.substrat.http.server;

import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/// Response of a handler.
public sealed interface HttpReply {

  /// A value as JSON.
  record JsonReply(int status, Object body, Map<String, String> headers) implements HttpReply {
    public JsonReply(int status, Object body) {
      this(status, body, Map.of());
    }
  }

  /// Text of another type: a page, a script, metrics.
  record ContentReply(int status, String type, String body, Map<String, String> headers)
      implements HttpReply {}

  /// Bytes of another type, such as an image.
  record BinaryReply(String type, Supplier<byte[]> bytes, Map<String, String> headers)
      implements HttpReply {}

  /// A status without a body.
  record EmptyReply(int status) implements HttpReply {}

  /// An event stream, until the writer returns or the client disconnects.
  record EventStreamReply(EventStreamWriter writer) implements HttpReply {}

  /// The handler has already sent the response over its own stream.
  record StreamedReply() implements HttpReply {}

  /// Writes the events of a stream.
  @FunctionalInterface
  interface EventStreamWriter {
    void write(SseStream out) throws IOException, InterruptedException;
  }

  static HttpReply ok(Object body) {
    return new JsonReply(200, body);
  }

  static HttpReply created(Object body) {
    return new JsonReply(201, body);
  }

  static HttpReply noContent() {
    return new EmptyReply(204);
  }

  static HttpReply text(String type, String body) {
    return new ContentReply(200, type, body, Map.of());
  }
}
