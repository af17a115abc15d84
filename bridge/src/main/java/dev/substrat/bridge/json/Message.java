package dev.substrat.bridge.json;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One message of the client, as far as the bridge has to understand it.
public final class Message {
  /// What it is, by JSON-RPC.
  public enum Kind {
    REQUEST,
    NOTIFICATION,
    RESPONSE,
    NONSENSE
  }

  private final JsonText json;
  private final Kind kind;

  private Message(JsonText json, Kind kind) {
    this.json = json;
    this.kind = kind;
  }

  /// Empty if the line is not a JSON object.
  public static Optional<Message> parse(byte[] line) {
    Optional<JsonText> json = JsonText.parse(line);
    return json.isPresent()
        ? Optional.of(new Message(json.get(), kind(json.get())))
        : Optional.empty();
  }

  private static Kind kind(JsonText json) {
    boolean hasId = isId(json.raw(Part.ID));
    if (json.text(Part.METHOD) != null) {
      return hasId ? Kind.REQUEST : json.has(Part.ID) ? Kind.NONSENSE : Kind.NOTIFICATION;
    }
    boolean answers = json.has(Part.RESULT) || json.has(Part.ERROR);
    return answers && hasId && !json.has(Part.METHOD) ? Kind.RESPONSE : Kind.NONSENSE;
  }

  /// MCP's ids are strings and numbers, never null.
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
    String method = json.text(Part.METHOD);
    return method == null ? "" : method;
  }

  /// The id as it is written, so that an answer has the very same; `null` where there is none.
  public String id() {
    String raw = json.raw(Part.ID);
    return raw != null && isId(raw) ? raw : "null";
  }

  public boolean isModern() {
    return json.text(Part.MODERN_VERSION) != null;
  }

  @Nullable public String text(Part part) {
    return json.text(part);
  }

  /// The request that a cancellation means, as it is written.
  @Nullable public String cancelled() {
    return json.raw(Part.CANCELLED);
  }

  /// What a request is about, for the header that mirrors it; most are about nothing.
  @Nullable public String subject() {
    return switch (method()) {
      case "tools/call", "prompts/get" -> text(Part.NAME);
      case "resources/read" -> text(Part.URI);
      case "tasks/get", "tasks/update", "tasks/cancel" -> text(Part.TASK);
      default -> null;
    };
  }
}
