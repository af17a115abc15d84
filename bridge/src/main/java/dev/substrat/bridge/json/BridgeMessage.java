package dev.substrat.bridge.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A message of the client, as far as the bridge reads it.
public final class BridgeMessage {
  /// Kind of JSON-RPC message.
  public enum JsonRpcKind {
    REQUEST,
    NOTIFICATION,
    RESPONSE,
    NONSENSE
  }

  private final RawJsonObject json;
  private final JsonRpcKind kind;

  private BridgeMessage(RawJsonObject json, JsonRpcKind kind) {
    this.json = json;
    this.kind = kind;
  }

  /// Empty if the line is not a JSON object.
  public static Optional<BridgeMessage> parse(byte[] line) {
    Optional<RawJsonObject> json = RawJsonObject.parse(line);
    return json.isPresent()
        ? Optional.of(new BridgeMessage(json.get(), kind(json.get())))
        : Optional.empty();
  }

  private static JsonRpcKind kind(RawJsonObject json) {
    boolean hasId = isId(json.raw(MessageField.ID));
    if (json.text(MessageField.METHOD) != null) {
      return hasId
          ? JsonRpcKind.REQUEST
          : json.has(MessageField.ID) ? JsonRpcKind.NONSENSE : JsonRpcKind.NOTIFICATION;
    }
    boolean answers = json.has(MessageField.RESULT) || json.has(MessageField.ERROR);
    return answers && hasId && !json.has(MessageField.METHOD)
        ? JsonRpcKind.RESPONSE
        : JsonRpcKind.NONSENSE;
  }

  /// MCP ids are strings or numbers, never null.
  private static boolean isId(@Nullable String raw) {
    return raw != null && (raw.charAt(0) == '"' || raw.charAt(0) == '-' || isDigit(raw.charAt(0)));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  public JsonRpcKind kind() {
    return kind;
  }

  public byte[] bytes() {
    return json.bytes();
  }

  public String method() {
    String method = json.text(MessageField.METHOD);
    return method == null ? "" : method;
  }

  /// The raw id, for an identical id in the response; `null` if there is none.
  public String id() {
    String raw = json.raw(MessageField.ID);
    return raw != null && isId(raw) ? raw : "null";
  }

  public boolean isModern() {
    return json.text(MessageField.MODERN_VERSION) != null;
  }

  @Nullable
  public String text(MessageField part) {
    return json.text(part);
  }

  /// The raw id of the request to cancel.
  @Nullable
  public String cancelled() {
    return json.raw(MessageField.CANCELLED);
  }

  /// The name or URI of the request's target, for the `Mcp-Name` header; empty for most requests.
  @Nullable
  public String subject() {
    return switch (method()) {
      case "tools/call", "prompts/get" -> text(MessageField.NAME);
      case "resources/read" -> text(MessageField.URI);
      case "tasks/get", "tasks/update", "tasks/cancel" -> text(MessageField.TASK);
      default -> null;
    };
  }
}
