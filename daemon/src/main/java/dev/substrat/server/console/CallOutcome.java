package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.transcript.Transcript.Line;
import org.jspecify.annotations.Nullable;

/// How a call of a tool turned out, in a word and a colour.
public record CallOutcome(String note, String tone) {

  public static CallOutcome of(@Nullable Line answer) {
    if (answer == null) {
      return new CallOutcome("no answer yet", "busy");
    }
    JsonNode result = Json.own(answer.content());
    if (result.path("error").asBoolean(false)) {
      return new CallOutcome(result.path("code").asText("refused"), "bad");
    }
    String status = result.path("status").asText("");
    return status.equals("pending")
        ? new CallOutcome("answered later", "wait")
        : new CallOutcome("", "good");
  }

  /// A result as people read it.
  public static String pretty(String json) {
    return Json.own(json).toPrettyString();
  }
}
