package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import org.jspecify.annotations.Nullable;

/// Outcome of a tool call: a word and a colour.
public record CallOutcome(String note, String tone) {

  public static CallOutcome of(@Nullable TranscriptLine answer) {
    if (answer == null) {
      return new CallOutcome("no result yet", "busy");
    }
    JsonNode result = Json.own(answer.content());
    if (result.path("error").asBoolean(false)) {
      return new CallOutcome(result.path("code").asText("rejected"), "bad");
    }
    String status = result.path("status").asText("");
    return status.equals("pending")
        ? new CallOutcome("pending", "wait")
        : new CallOutcome("", "good");
  }

  /// Result as indented JSON.
  public static String pretty(String json) {
    return Json.own(json).toPrettyString();
  }
}
