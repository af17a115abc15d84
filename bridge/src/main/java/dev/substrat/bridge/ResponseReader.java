package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonRpcText;
import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.MessagePart;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/// Reads the daemon's response to a request.
final class ResponseReader {
  private static final String UNKNOWN_METHOD = "-32601";
  private static final String STOPPING = "STOPPING";

  private ResponseReader() {}

  /// Receives messages that precede the response: progress, log messages, requests to the client.
  interface Before {
    void hear(JsonText message);
  }

  /// The JSON-RPC response to request `id` from an HTTP response with status 200: its body or its
  /// last event.
  static JsonText read(DaemonReply reply, String id, Before before) throws IOException {
    if (!reply.isStream()) {
      return message(reply.body());
    }
    var events = new SseEvents(reply);
    for (byte[] event = events.next(); event != null; event = events.next()) {
      JsonText message = message(event);
      if (!message.has(MessagePart.METHOD) && id.equals(message.raw(MessagePart.ID))) {
        return message;
      }
      before.hear(message);
    }
    throw new EOFException("the stream ended without a response");
  }

  static JsonText message(byte[] bytes) {
    Optional<JsonText> message = JsonText.parse(bytes);
    if (message.isEmpty()) {
      throw new BridgeError(
          "INTERNAL", "the daemon's response is not a JSON object", "check the daemon's log");
    }
    return message.get();
  }

  /// The JSON-RPC error for a failed HTTP response. The daemon's body is JSON-RPC, possibly without
  /// the id, or the daemon's own error format.
  static byte[] error(String id, int status, Optional<JsonText> body) {
    if (body.isPresent()) {
      JsonText json = body.get();
      String error = json.raw(MessagePart.ERROR);
      if (error != null && error.charAt(0) == '{') {
        return id.equals(json.raw(MessagePart.ID)) ? json.bytes() : JsonRpcText.error(id, error);
      }
    }
    return JsonRpcText.error(id, refused(status, body));
  }

  static BridgeError refused(int status, Optional<JsonText> body) {
    String message = body.isEmpty() ? null : body.get().text(MessagePart.MESSAGE);
    String hint = body.isEmpty() ? null : body.get().text(MessagePart.HINT);
    String code = body.isEmpty() ? null : body.get().text(MessagePart.CODE);
    return new BridgeError(
        code == null ? "INTERNAL" : code,
        message == null ? "the daemon answered with HTTP status " + status : message,
        hint == null ? "" : hint);
  }

  /// True if a 404 means that the session is unknown, not the method.
  static boolean isUnknownMethod(Optional<JsonText> body) {
    return body.isPresent() && UNKNOWN_METHOD.equals(body.get().raw(MessagePart.ERROR_CODE));
  }

  /// True if the daemon is stopping and did not execute the request.
  static boolean isStopping(Optional<JsonText> body) {
    return body.isPresent()
        && (STOPPING.equals(body.get().text(MessagePart.CODE))
            || STOPPING.equals(body.get().text(MessagePart.ERROR_REASON)));
  }
}
