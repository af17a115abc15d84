package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;

/// What a configured tool does when it is called.
@FunctionalInterface
public interface Work {
  ToolReply run(Call call, ObjectNode arguments);
}
