package dev.substrat.agentcli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import java.util.Set;

/// What a program that asks before it acts may do. Nobody waits for a person here: behind walls it
/// may do what it likes; without, it may call our tools and look at things.
record AcpPermissions(boolean isWalled) {
  private static final Set<String> HARMLESS = Set.of("read", "search", "think");

  boolean mayDo(JsonNode call) {
    return isWalled
        || call.path("title").asText().contains(Door.NAME)
        || call.path("toolCallId").asText().contains(Door.NAME)
        || HARMLESS.contains(call.path("kind").asText());
  }

  /// The choice among the options it was given; none is a refusal as well.
  static ObjectNode choice(JsonNode options, boolean allowed) {
    String wanted = allowed ? "allow_once" : "reject_once";
    String alike = allowed ? "allow" : "reject";
    var answer = Json.object();
    ObjectNode outcome = answer.putObject("outcome");
    for (String kind : new String[] {wanted, alike}) {
      for (JsonNode option : options) {
        if (option.path("kind").asText().startsWith(kind)) {
          outcome.put("outcome", "selected").put("optionId", option.path("optionId").asText());
          return answer;
        }
      }
    }
    outcome.put("outcome", "cancelled");
    return answer;
  }
}
