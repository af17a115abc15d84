package dev.substrat.bridge.json;

import dev.substrat.bridge.BridgeError;
import java.nio.charset.StandardCharsets;

/// JSON-RPC messages that the bridge creates itself.
public final class JsonRpcMessages {
  public static final int PARSE_ERROR = -32700;
  public static final int INVALID_REQUEST = -32600;

  /// Server-defined error code; the Substrat code is in `data.code`.
  private static final int REFUSED = -32000;

  private JsonRpcMessages() {}

  public static byte[] error(String id, int code, String message) {
    return bytes(
        open(id) + "\"error\":{\"code\":" + code + ",\"message\":" + quoted(message) + "}}");
  }

  /// The message includes the hint, because clients show little else.
  public static byte[] error(String id, BridgeError refusal) {
    String message = refusal.reason() + (refusal.hint().isEmpty() ? "" : "; " + refusal.hint());
    return bytes(
        open(id)
            + "\"error\":{\"code\":"
            + REFUSED
            + ",\"message\":"
            + quoted(message)
            + ",\"data\":{\"code\":"
            + quoted(refusal.code())
            + ",\"hint\":"
            + quoted(refusal.hint())
            + "}}}");
  }

  /// A response with an error of the daemon and the id of the request.
  public static byte[] error(String id, String error) {
    return bytes(open(id) + "\"error\":" + error + "}");
  }

  public static byte[] result(String id, String result) {
    return bytes(open(id) + "\"result\":" + result + "}");
  }

  public static byte[] notification(String method) {
    return bytes("{\"jsonrpc\":\"2.0\",\"method\":" + quoted(method) + "}");
  }

  private static String open(String id) {
    return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",";
  }

  private static String quoted(String text) {
    return RawJsonObject.quoted(text);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
