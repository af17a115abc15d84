package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;

/// A tool call of an agent and its result.
public record RecordedCall(String agent, String tool, JsonNode input, JsonNode result) {

  /// The error code of the result, such as `INVALID_ARGUMENTS`; empty if the call succeeded.
  public String error() {
    return result.path("error").asBoolean() ? result.path("code").asText() : "";
  }
}
