package dev.substrat.bridge.json;

import org.jspecify.annotations.Nullable;

/// Fields of a message that the bridge reads, with their paths. All other content is passed
/// through.
public enum MessageField {
  ID("id"),
  METHOD("method"),
  RESULT("result"),
  ERROR("error"),

  NAME("params", "name"),
  URI("params", "uri"),
  TASK("params", "taskId"),
  WANTED_VERSION("params", "protocolVersion"),
  CANCELLED("params", "requestId"),
  /// Present in requests of the modern protocol, which has no sessions.
  MODERN_VERSION("params", "_meta", "io.modelcontextprotocol/protocolVersion"),

  AGREED_VERSION("result", "protocolVersion"),
  ERROR_CODE("error", "code"),
  ERROR_REASON("error", "data", "code"),

  /// Fields of the daemon's errors that are not JSON-RPC.
  CODE("code"),
  MESSAGE("message"),
  HINT("hint"),

  /// Fields of `daemon.json` and of a new token.
  SOCKET("socket"),
  TOKEN("token");

  private static final MessageField[] ALL = values();

  // Not exposed, so it cannot be modified.
  @SuppressWarnings("ImmutableEnumChecker")
  private final String[] path;

  MessageField(String... path) {
    this.path = path;
  }

  /// The part at the first `depth` names of `path`.
  static @Nullable MessageField at(String[] path, int depth) {
    for (MessageField part : ALL) {
      if (part.path.length == depth && part.matches(path)) {
        return part;
      }
    }
    return null;
  }

  private boolean matches(String[] other) {
    // From the end, where paths differ most.
    for (int i = path.length - 1; i >= 0; i--) {
      if (!path[i].equals(other[i])) {
        return false;
      }
    }
    return true;
  }
}
