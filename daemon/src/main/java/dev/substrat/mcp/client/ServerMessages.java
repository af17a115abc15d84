package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/// Parser of untrusted messages from servers.
public final class ServerMessages {
  /// Maximum length of a message.
  public static final int MAX_LENGTH = 4 << 20;

  private ServerMessages() {}

  public static JsonNode parse(byte[] bytes) {
    try {
      return Json.parseLenient(bytes);
    } catch (Fault fault) {
      // Without the cause's message: it may quote the server.
      throw RemoteFailure.because(FailureReason.PROTOCOL, "the server sent invalid JSON", fault);
    }
  }

  /// Reads a whole body, up to the limit.
  public static byte[] read(InputStream in) {
    byte[] bytes;
    try {
      bytes = in.readNBytes(MAX_LENGTH + 1);
    } catch (OutgoingFailure e) {
      throw RemoteFailure.on(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (bytes.length > MAX_LENGTH) {
      throw RemoteFailure.because(
          FailureReason.TOO_LARGE,
          "the server sent a message larger than " + ByteSizeFormatter.words(MAX_LENGTH));
    }
    return bytes;
  }

  /// Whether it is a response, not a notification or a request.
  public static boolean isAnswer(JsonNode message) {
    return !message.has("method") && (message.has("result") || message.has("error"));
  }

  public static boolean answers(JsonNode message, long id) {
    JsonNode its = message.path("id");
    return isAnswer(message) && its.isIntegralNumber() && its.asLong() == id;
  }

  /// An error without an id: the server could not read the request.
  public static Optional<ObjectNode> error(JsonNode message) {
    return message instanceof ObjectNode object && object.path("error").path("code").isInt()
        ? Optional.of(object)
        : Optional.empty();
  }
}
