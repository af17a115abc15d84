package dev.substrat.bridge.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A message of the client, as far as the bridge reads it.
public final class BridgeMessage {
  /// Kind of JSON-RPC message.
  public enum Kind {
    REQUEST,
    NOTIFICATION,
    RESPONSE,
    NONSENSE
  }

  private final JsonText json;
  private final Kind kind;

  private BridgeMessage(JsonText json, Kind kind) {
    this.json = json;
    this.kind = kind;
  }

  /// Empty if the line is not a JSON object.
  public static Optional<BridgeMessage> parse(byte[] line) {
    Optional<JsonText> json = JsonText.parse(line);
    return json.isPresent()
        ? Optional.of(new BridgeMessage(json.get(), kind(json.get())))
        : Optional.empty();
  }

  private static Kind kind(JsonText json) {
    boolean hasId = isId(json.raw(MessagePart.ID));
    if (json.text(MessagePart.METHOD) != null) {
      return hasId ? Kind.REQUEST : json.has(MessagePart.ID) ? Kind.NONSENSE : Kind.NOTIFICATION;
    }
    boolean answers = json.has(MessagePart.RESULT) || json.has(MessagePart.ERROR);
    return answers && hasId && !json.has(MessagePart.METHOD) ? Kind.RESPONSE : Kind.NONSENSE;
  }

  /// MCP ids are strings or numbers, never null.
  private static boolean isId(@Nullable String raw) {
    return raw != null && (raw.charAt(0) == '"' || raw.charAt(0) == '-' || isDigit(raw.charAt(0)));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  public Kind kind() {
    return kind;
  }

  public byte[] bytes() {
    return json.bytes();
  }

  public String method() {
    String method = json.text(MessagePart.METHOD);
    return method == null ? "" : method;
  }

  /// The raw id, for an identical id in the response; `null` if there is none.
  public String id() {
    String raw = json.raw(MessagePart.ID);
    return raw != null && isId(raw) ? raw : "null";
  }

  public boolean isModern() {
    return json.text(MessagePart.MODERN_VERSION) != null;
  }

  @Nullable
  public String text(MessagePart part) {
    return json.text(part);
  }

  /// The raw id of the request to cancel.
  @Nullable
  public String cancelled() {
    return json.raw(MessagePart.CANCELLED);
  }

  /// The name or URI of the request's target, for the `Mcp-Name` header; empty for most requests.
  @Nullable
  public String subject() {
    return switch (method()) {
      case "tools/call", "prompts/get" -> text(MessagePart.NAME);
      case "resources/read" -> text(MessagePart.URI);
      case "tasks/get", "tasks/update", "tasks/cancel" -> text(MessagePart.TASK);
      default -> null;
    };
  }
}
