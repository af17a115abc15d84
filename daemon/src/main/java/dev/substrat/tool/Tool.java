package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Schema;

/// Something an agent can do. It answers at once; what takes long comes back through the inbox.
public interface Tool {
  String name();

  /// A prompt: what it does, when to use it, what comes back and when.
  String description();

  Schema input();

  /// Called with arguments that fit [#input].
  ToolReply call(Call call, ObjectNode arguments);

  /// True if it only looks: such a call changes nothing and may be repeated.
  default boolean isReadOnly() {
    return false;
  }
}
