package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Current activity of an agent.
public record ActivitySnapshot(
    @JsonPropertyDescription("State: idle, busy or waiting.") String state,
    @JsonProperty("state_reason")
        @JsonPropertyDescription("Reason why no turn starts.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String stateReason,
    @JsonProperty("next_try_at")
        @JsonPropertyDescription("Next attempt after a failed turn.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Instant nextTryAt,
    List<ObjectNode> budgets,
    @JsonProperty("recent_messages") @JsonPropertyDescription("The newest messages, oldest first.")
        List<RecentMessage> recentMessages,
    @JsonProperty("pending_count") @JsonPropertyDescription("Number of unread events.")
        long pendingCount,
    @JsonProperty("waiting_for")
        @JsonPropertyDescription("Agents whose replies the agent waits for.")
        List<String> waitingFor,
    @JsonProperty("current_run") @Nullable String currentRun,
    @JsonProperty("last_said")
        @JsonPropertyDescription("Final text of the agent's last turn.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable LastFinalText lastSaid,
    @JsonPropertyDescription("Turns, tool calls and state changes of the agent, oldest first.")
        List<ObjectNode> activity) {

  /// The final text of a turn, whether or not it answered a question.
  public record LastFinalText(String text, @JsonProperty("run_id") String runId, Instant at) {}

  /// A message it sent or got.
  public record RecentMessage(
      String from,
      String to,
      String text,
      @JsonProperty("message_id") String messageId,
      @JsonPropertyDescription("Direction: in or out.") String direction,
      Instant at,
      String status) {}
}
