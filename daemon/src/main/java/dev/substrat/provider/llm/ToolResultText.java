package dev.substrat.provider.llm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ToolPipeline;
import org.jspecify.annotations.Nullable;

/// A tool's answer as a model reads it: the tool's own object, and below it what we have to say.
final class ToolResultText {
  private ToolResultText() {}

  static String of(ToolPipeline.Answer answer) {
    return of(Json.text(answer.reply().json()), answer.beside());
  }

  static String of(String result, @Nullable JsonNode beside) {
    return beside == null || beside.isEmpty() ? result : result + "\n" + Json.text(beside);
  }
}
