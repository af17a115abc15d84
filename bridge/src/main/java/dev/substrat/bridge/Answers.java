package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonRpc;
import dev.substrat.bridge.json.JsonText;
import dev.substrat.bridge.json.Part;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/// Reads what the daemon says to one request.
final class Answers {
  private static final String UNKNOWN_METHOD = "-32601";
  private static final String STOPPING = "STOPPING";

  private Answers() {}

  /// Takes what comes before the answer, and belongs to it: progress, log lines, questions.
  interface Before {
    void hear(JsonText message);
  }

  /// The answer to request `id` out of a reply of status 200, be it the body or the last event.
  static JsonText read(Reply reply, String id, Before before) throws IOException {
    if (!reply.isStream()) {
      return message(reply.body());
    }
    var events = new Events(reply);
    for (byte[] event = events.next(); event != null; event = events.next()) {
      JsonText message = message(event);
      if (!message.has(Part.METHOD) && id.equals(message.raw(Part.ID))) {
        return message;
      }
      before.hear(message);
    }
    throw new EOFException("the stream ended without an answer");
  }

  static JsonText message(byte[] bytes) {
    Optional<JsonText> message = JsonText.parse(bytes);
    if (message.isEmpty()) {
      throw new Refusal("INTERNAL", "the daemon's answer is not a JSON object", "see its log");
    }
    return message.get();
  }

  /// What to tell the client about a reply that is not a success. The daemon says it in JSON-RPC,
  /// perhaps without the id, or in its own way.
  static byte[] error(String id, int status, Optional<JsonText> body) {
    if (body.isPresent()) {
      JsonText json = body.get();
      String error = json.raw(Part.ERROR);
      if (error != null && error.charAt(0) == '{') {
        return id.equals(json.raw(Part.ID)) ? json.bytes() : JsonRpc.error(id, error);
      }
    }
    return JsonRpc.error(id, refused(status, body));
  }

  static Refusal refused(int status, Optional<JsonText> body) {
    String message = body.isEmpty() ? null : body.get().text(Part.MESSAGE);
    String hint = body.isEmpty() ? null : body.get().text(Part.HINT);
    String code = body.isEmpty() ? null : body.get().text(Part.CODE);
    return new Refusal(
        code == null ? "INTERNAL" : code,
        message == null ? "the daemon answered with HTTP status " + status : message,
        hint == null ? "" : hint);
  }

  /// A 404 that is about the method is an answer; any other says that the session is gone.
  static boolean isUnknownMethod(Optional<JsonText> body) {
    return body.isPresent() && UNKNOWN_METHOD.equals(body.get().raw(Part.ERROR_CODE));
  }

  /// The daemon is on its way out and has done nothing; the next one will.
  static boolean isStopping(Optional<JsonText> body) {
    return body.isPresent()
        && (STOPPING.equals(body.get().text(Part.CODE))
            || STOPPING.equals(body.get().text(Part.ERROR_REASON)));
  }
}
