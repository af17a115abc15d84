package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.RelativeTime;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// Text for the condition of an agent: what it is doing, or what blocks it.
public final class AgentConditionText {
  private static final String BUDGET_CODE = "BUDGET_EXHAUSTED: ";

  private AgentConditionText() {}

  /// One or two words, for lists.
  static String label(JsonNode condition) {
    return condition.path("state").asText().replace('_', ' ');
  }

  /// All that applies, most important first: `failing: 3 attempts, next at 12:03:10 (no model)`.
  public static List<String> sentences(JsonNode condition) {
    var sentences = new ArrayList<String>();
    String state = condition.path("state").asText();
    switch (state) {
      case "paused" -> sentences.add("paused");
      case "no_budget" -> sentences.add("waiting for budget: " + reason(condition));
      case "queued" -> sentences.add("waiting for a slot");
      // Added below, with details.
      case "failing", "waiting", "held" -> {}
      default -> sentences.add(label(condition));
    }
    if (condition.hasNonNull("failure") && !state.equals("no_budget")) {
      sentences.add(failing(condition));
    }
    for (JsonNode awaited : condition.path("waitingFor")) {
      sentences.add(
          "waiting for a reply from %s since %s"
              .formatted(awaited.path("agent").asText(), RelativeTime.time(awaited.path("since"))));
    }
    long held = condition.path("held").asLong();
    if (held > 0) {
      sentences.add("held: %d message%s".formatted(held, held == 1 ? "" : "s"));
    }
    return sentences;
  }

  private static String failing(JsonNode condition) {
    return failing(
        condition.path("attempts").asLong(),
        condition.path("nextTryAt"),
        condition.path("failure").asText());
  }

  /// Work that failed and will be retried.
  public static String failing(long attempts, JsonNode nextTryAt, String reason) {
    var text = new StringJoiner(", ", "failing: ", reason.isEmpty() ? "" : " (" + reason + ")");
    text.add("%d attempt%s".formatted(attempts, attempts == 1 ? "" : "s"));
    String next = RelativeTime.time(nextTryAt);
    if (!next.isEmpty()) {
      text.add("next at " + next);
    }
    return text.toString();
  }

  /// The reason without its error code.
  private static String reason(JsonNode condition) {
    String reason = condition.path("reason").asText();
    return reason.startsWith(BUDGET_CODE) ? reason.substring(BUDGET_CODE.length()) : reason;
  }
}
