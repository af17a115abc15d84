package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Something an agent can do. It answers at once; what takes long comes back through the inbox.
public interface Tool extends Described {

  /// Called with arguments that fit [#input].
  ToolReply call(Call call, ObjectNode arguments);
}
