package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.Agent;
import dev.substrat.tool.execution.InlinePolicy;
import org.jspecify.annotations.Nullable;

/// A tool with its texts as one [ToolAudience] reads them.
record AudienceTool(Tool tool, String description, JsonSchema input) implements Tool {

  static Tool of(Tool tool, ToolAudience audience) {
    return ToolAudience.isMarked(tool)
        ? new AudienceTool(
            tool,
            audience.text(tool.description()),
            JsonSchema.of(audience.schema(tool.input().json())))
        : tool;
  }

  @Override
  public String name() {
    return tool.name();
  }

  @Override
  public String title() {
    return tool.title();
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
    return tool.isOpenWorld();
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return tool.call(call, arguments);
  }

  @Override
  public ObjectNode repair(ObjectNode arguments) {
    return tool.repair(arguments);
  }

  @Override
  public boolean isListedFor(Agent agent) {
    return tool.isListedFor(agent);
  }

  @Override
  public @Nullable String server() {
    return tool.server();
  }

  @Override
  public @Nullable InlinePolicy deferral() {
    return tool.deferral();
  }

  @Override
  public boolean isShown() {
    return tool.isShown();
  }

  @Override
  public boolean reportsProgress() {
    return tool.reportsProgress();
  }

  @Override
  public boolean isOneTransaction() {
    return tool.isOneTransaction();
  }
}
