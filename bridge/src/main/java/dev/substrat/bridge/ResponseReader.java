package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonRpcText;
import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.MessagePart;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/// Reads what the daemon says to one request.
final class ResponseReader {
  private static final String UNKNOWN_METHOD = "-32601";
  private static final String STOPPING = "STOPPING";

  private ResponseReader() {}

  /// Takes what comes before the answer, and belongs to it: progress, log lines, questions.
  interface Before {
    void hear(JsonText message);
  }

  /// The answer to request `id` out of a reply of status 200, be it the body or the last event.
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
    throw new EOFException("the stream ended without an answer");
  }

  static JsonText message(byte[] bytes) {
    Optional<JsonText> message = JsonText.parse(bytes);
    if (message.isEmpty()) {
      throw new BridgeError("INTERNAL", "the daemon's answer is not a JSON object", "see its log");
    }
    return message.get();
  }

  /// What to tell the client about a reply that is not a success. The daemon says it in JSON-RPC,
  /// perhaps without the id, or in its own way.
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

  /// A 404 that is about the method is an answer; any other says that the session is gone.
  static boolean isUnknownMethod(Optional<JsonText> body) {
    return body.isPresent() && UNKNOWN_METHOD.equals(body.get().raw(MessagePart.ERROR_CODE));
  }

  /// The daemon is on its way out and has done nothing; the next one will.
  static boolean isStopping(Optional<JsonText> body) {
    return body.isPresent()
        && (STOPPING.equals(body.get().text(MessagePart.CODE))
            || STOPPING.equals(body.get().text(MessagePart.ERROR_REASON)));
  }
}
