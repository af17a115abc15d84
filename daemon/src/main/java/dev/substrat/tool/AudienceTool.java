package dev.substrat.tool;

import dev.substrat.platform.json.JsonSchema;

/// A tool whose texts are written for one [ToolAudience].
record AudienceTool(Tool tool, String description, JsonSchema input) implements DelegatingTool {

  static Tool of(Tool tool, ToolAudience audience) {
    return ToolAudience.isMarked(tool)
        ? new AudienceTool(
            tool,
            audience.text(tool.description()),
            JsonSchema.of(audience.schema(tool.input().json())))
        : tool;
  }
}
