package dev.substrat.bridge.json;

import org.jspecify.annotations.Nullable;

/// What the bridge wants to know of a message, and where it stands there. All the rest is carried
/// unread.
public enum MessagePart {
  ID("id"),
  METHOD("method"),
  RESULT("result"),
  ERROR("error"),

  NAME("params", "name"),
  URI("params", "uri"),
  TASK("params", "taskId"),
  WANTED_VERSION("params", "protocolVersion"),
  CANCELLED("params", "requestId"),
  /// A request that has it is of the modern era: it carries what a session would know.
  MODERN_VERSION("params", "_meta", "io.modelcontextprotocol/protocolVersion"),

  AGREED_VERSION("result", "protocolVersion"),
  ERROR_CODE("error", "code"),
  ERROR_REASON("error", "data", "code"),

  /// Of the daemon's own refusals, which are no JSON-RPC.
  CODE("code"),
  MESSAGE("message"),
  HINT("hint"),

  /// Of `daemon.json` and of a token just minted.
  SOCKET("socket"),
  TOKEN("token");

  private static final MessagePart[] ALL = values();

  // Never handed out, so nobody can change it.
  @SuppressWarnings("ImmutableEnumChecker")
  private final String[] path;

  MessagePart(String... path) {
    this.path = path;
  }

  /// The part that stands at the first `depth` names of `path`.
  static @Nullable MessagePart at(String[] path, int depth) {
    for (MessagePart part : ALL) {
      if (part.path.length == depth && part.matches(path)) {
        return part;
      }
    }
    return null;
  }

  private boolean matches(String[] other) {
    // From the end, where they differ most.
    for (int i = path.length - 1; i >= 0; i--) {
      if (!path[i].equals(other[i])) {
        return false;
      }
    }
    return true;
  }
}
