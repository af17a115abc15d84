package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;

/// A tool call of an agent and what came back.
public record RecordedCall(String agent, String tool, JsonNode input, JsonNode result) {

  /// The code of the error that came back, such as `INVALID_ARGUMENTS`; empty if it went well.
  public String error() {
    return result.path("error").asBoolean() ? result.path("code").asText() : "";
  }
}
