package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;

/// A tool that changes what is not in the database: what a call has done is remembered under its
/// key, so that a turn that is tried again does not do it twice.
record ExternalEffectTool(Tool tool) implements Tool {
  @Override
  public String name() {
    return tool.name();
  }

  @Override
  public String description() {
    return tool.description();
  }

  @Override
  public JsonSchema input() {
    return tool.input();
  }

  @Override
  public JsonSchema output() {
    return tool.output();
  }

  @Override
  public ToolEffect effect() {
    return tool.effect();
  }

  @Override
  public boolean isOpenWorld() {
    return true;
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return tool.call(call, arguments);
  }
}
