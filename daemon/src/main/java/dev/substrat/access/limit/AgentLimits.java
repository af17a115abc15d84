package dev.substrat.access.limit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.json.Minimum;
import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Limits and budgets of an agent. A missing limit has a generous default; a missing budget means
/// none. A child never gets more than its parent.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentLimits(
    @JsonPropertyDescription("Maximum messages sent per minute (default 1200).") @Minimum(1)
        @Nullable Integer messagesPerMinute,
    @JsonPropertyDescription("Maximum calls of one tool per minute (default 600).") @Minimum(1)
        @Nullable Integer callsPerMinute,
    @JsonPropertyDescription("Maximum tool calls per turn (default 200).") @Minimum(1)
        @Nullable Integer maxCallsPerTurn,
    @JsonPropertyDescription("Maximum messages sent per turn (default 100).") @Minimum(1)
        @Nullable Integer maxMessagesPerTurn,
    @JsonPropertyDescription("Maximum model requests per turn (default 250).") @Minimum(1)
        @Nullable Integer maxStepsPerTurn,
    @JsonPropertyDescription("Maximum tokens per turn (default 2000000).") @Minimum(1)
        @Nullable Integer maxTokensPerTurn,
    @JsonPropertyDescription("Maximum children that are not terminated (default 8).") @Minimum(0)
        @Nullable Integer maxChildren,
    @JsonPropertyDescription("Maximum depth of the tree below a root agent (default 4).")
        @Minimum(1)
        @Nullable Integer maxDepth,
    @JsonPropertyDescription("Maximum agents in the agent's team (default 256).") @Minimum(1)
        @Nullable Integer maxAgents,
    @JsonPropertyDescription("Maximum duration of a turn in seconds (default 600).") @Minimum(1)
        @Nullable Integer maxTurnSeconds,
    @JsonPropertyDescription("Budget in US dollars for the agent and all agents below it.")
        @Minimum(0.000001)
        @Nullable Double budgetUsd,
    @JsonPropertyDescription("Budget in tokens for the agent and all agents below it.") @Minimum(1)
        @Nullable Long budgetTokens,
    @JsonPropertyDescription("Budget in turns for the agent and all agents below it.") @Minimum(1)
        @Nullable Long budgetTurns,
    @JsonPropertyDescription("Budget in seconds of turns for the agent and all agents below it.")
        @Minimum(1)
        @Nullable Long budgetSeconds) {

  public AgentLimits {
    require("messagesPerMinute", messagesPerMinute, 1);
    require("callsPerMinute", callsPerMinute, 1);
    require("maxCallsPerTurn", maxCallsPerTurn, 1);
    require("maxMessagesPerTurn", maxMessagesPerTurn, 1);
    require("maxStepsPerTurn", maxStepsPerTurn, 1);
    require("maxTokensPerTurn", maxTokensPerTurn, 1);
    require("maxChildren", maxChildren, 0);
    require("maxDepth", maxDepth, 1);
    require("maxAgents", maxAgents, 1);
    require("maxTurnSeconds", maxTurnSeconds, 1);
  }

  private static void require(String key, @Nullable Integer limit, int least) {
    if (limit != null && limit < least) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "limits.%s must be %d or more, not %d".formatted(key, least, limit),
          "omit the key for the default");
    }
  }

  public static final AgentLimits DEFAULTS =
      new AgentLimits(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null);

  public int messages() {
    return messagesPerMinute == null ? 1_200 : messagesPerMinute;
  }

  public int calls() {
    return callsPerMinute == null ? 600 : callsPerMinute;
  }

  public int callsPerTurn() {
    return maxCallsPerTurn == null ? 200 : maxCallsPerTurn;
  }

  public int messagesPerTurn() {
    return maxMessagesPerTurn == null ? 100 : maxMessagesPerTurn;
  }

  public int stepsPerTurn() {
    // Each step may make only one call, and the final text needs one more step.
    return maxStepsPerTurn == null ? Math.max(250, callsPerTurn() + 1) : maxStepsPerTurn;
  }

  public int tokensPerTurn() {
    return maxTokensPerTurn == null ? 2_000_000 : maxTokensPerTurn;
  }

  public int children() {
    return maxChildren == null ? 8 : maxChildren;
  }

  /// Maximum agents in the tree of one root, itself included.
  public int agents() {
    return maxAgents == null ? 256 : maxAgents;
  }

  public Duration turn() {
    return Duration.ofSeconds(maxTurnSeconds == null ? 600 : maxTurnSeconds);
  }

  public int depth() {
    return maxDepth == null ? 4 : maxDepth;
  }

  /// Limits of a child: the same, with its own budgets only. It draws on its parent's anyway.
  public AgentLimits withBudgets(
      @Nullable Double usd, @Nullable Long tokens, @Nullable Long turns, @Nullable Long seconds) {
    return new AgentLimits(
        messagesPerMinute,
        callsPerMinute,
        maxCallsPerTurn,
        maxMessagesPerTurn,
        maxStepsPerTurn,
        maxTokensPerTurn,
        maxChildren,
        maxDepth,
        maxAgents,
        maxTurnSeconds,
        usd,
        tokens,
        turns,
        seconds);
  }
}
