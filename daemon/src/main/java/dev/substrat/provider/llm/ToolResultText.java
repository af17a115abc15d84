package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ToolPipeline;
import org.jspecify.annotations.Nullable;

/// Formats a tool result for a model: the tool's object, and notes of Substrat below it.
final class ToolResultText {
  private ToolResultText() {}

  static String of(ToolPipeline.ResultWithUnread answer) {
    return of(Json.text(answer.reply().json()), answer.beside());
  }

  static String of(String result, @Nullable JsonNode beside) {
    return beside == null || beside.isEmpty() ? result : result + "\n" + Json.text(beside);
  }
}
