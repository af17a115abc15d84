package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonRpcMessages;
import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/// Reads the daemon's response to a request.
final class ResponseReader {
  private static final String UNKNOWN_METHOD = "-32601";
  private static final String STOPPING = "STOPPING";

  private ResponseReader() {}

  /// Receives messages that precede the response: progress, log messages, requests to the client.
  interface InterimMessageHandler {
    void hear(RawJsonObject message);
  }

  /// The JSON-RPC response to request `id` from an HTTP response with status 200: its body or its
  /// last event.
  static RawJsonObject read(DaemonReply reply, String id, InterimMessageHandler before)
      throws IOException {
    if (!reply.isStream()) {
      return message(reply.body());
    }
    var events = new SseEventReader(reply);
    for (byte[] event = events.next(); event != null; event = events.next()) {
      RawJsonObject message = message(event);
      if (!message.has(MessageField.METHOD) && id.equals(message.raw(MessageField.ID))) {
        return message;
      }
      before.hear(message);
    }
    throw new EOFException("the stream ended without a response");
  }

  static RawJsonObject message(byte[] bytes) {
    Optional<RawJsonObject> message = RawJsonObject.parse(bytes);
    if (message.isEmpty()) {
      throw new BridgeError(
          "INTERNAL", "the daemon's response is not a JSON object", "check the daemon's log");
    }
    return message.get();
  }

  /// The JSON-RPC error for a failed HTTP response. The daemon's body is JSON-RPC, possibly without
  /// the id, or the daemon's own error format.
  static byte[] error(String id, int status, Optional<RawJsonObject> body) {
    if (body.isPresent()) {
      RawJsonObject json = body.get();
      String error = json.raw(MessageField.ERROR);
      if (error != null && error.charAt(0) == '{') {
        return id.equals(json.raw(MessageField.ID))
            ? json.bytes()
            : JsonRpcMessages.error(id, error);
      }
    }
    return JsonRpcMessages.error(id, refused(status, body));
  }

  static BridgeError refused(int status, Optional<RawJsonObject> body) {
    String message = body.isEmpty() ? null : body.get().text(MessageField.MESSAGE);
    String hint = body.isEmpty() ? null : body.get().text(MessageField.HINT);
    String code = body.isEmpty() ? null : body.get().text(MessageField.CODE);
    return new BridgeError(
        code == null ? "INTERNAL" : code,
        message == null ? "the daemon answered with HTTP status " + status : message,
        hint == null ? "" : hint);
  }

  /// True if a 404 means that the session is unknown, not the method.
  static boolean isUnknownMethod(Optional<RawJsonObject> body) {
    return body.isPresent() && UNKNOWN_METHOD.equals(body.get().raw(MessageField.ERROR_CODE));
  }

  /// True if the daemon is stopping and did not execute the request.
  static boolean isStopping(Optional<RawJsonObject> body) {
    return body.isPresent()
        && (STOPPING.equals(body.get().text(MessageField.CODE))
            || STOPPING.equals(body.get().text(MessageField.ERROR_REASON)));
  }
}
