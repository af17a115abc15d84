package dev.substrat.turn.run;

import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.limit.AgentLimits;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.tool.CallLimits;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.UnreadSummary;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.turn.scheduling.RunningTurns;
import java.time.Duration;
import java.util.Optional;

/// Counts what one turn has used and enforces the limits per turn. Safe for many threads: a
/// provider may call tools concurrently.
public final class TurnLimitCounter {
  private static final String HINT = "end your turn; the next message starts a new turn";

  private final AgentLimits limits;
  private int steps;
  private int calls;
  private int messages;
  private long tokens;
  private long reserved;

  public TurnLimitCounter(AgentLimits limits) {
    this.limits = limits;
  }

  /// Rejects a step too many, and one that could use more tokens than are left. If the previous
  /// step reported no usage, its reservation counts.
  public synchronized void beginStep(BudgetReservation most) {
    tokens += reserved;
    reserved = 0;
    if (steps >= limits.stepsPerTurn()) {
      throw reached("the turn has taken %d steps (limits.maxStepsPerTurn)".formatted(steps));
    }
    if (tokens + most.tokens() > limits.tokensPerTurn()) {
      throw reached(
          "the turn has used %d of %d tokens (limits.maxTokensPerTurn), and this step may need %d"
              .formatted(tokens, limits.tokensPerTurn(), most.tokens()));
    }
    steps++;
    reserved = most.tokens();
  }

  public synchronized void endStep(ModelUsage usage) {
    tokens += usage.tokens() == 0 ? reserved : usage.tokens();
    reserved = 0;
  }

  /// The step that began last was none.
  public synchronized void withdrawStep() {
    steps--;
    reserved = 0;
  }

  /// Why the agent may not make this call, if a limit is reached.
  public synchronized Optional<Fault> refuse(String tool) {
    if (calls >= limits.callsPerTurn()) {
      return Optional.of(
          reached(
              "you have made %d tool calls in this turn (limits.maxCallsPerTurn)"
                  .formatted(calls)));
    }
    boolean sends = CallLimits.isSending(tool);
    if (sends && messages >= limits.messagesPerTurn()) {
      return Optional.of(
          reached(
              "you have sent %d messages in this turn (limits.maxMessagesPerTurn)"
                  .formatted(messages)));
    }
    calls++;
    messages += sends ? 1 : 0;
    return Optional.empty();
  }

  /// The outcome of an interrupted turn. If its time was limited by a budget, it is not the agent's
  /// failure.
  public TurnOutcome interrupted(Duration time, String reason) {
    boolean isShort = time.compareTo(limits.turn()) < 0;
    return isShort && reason.equals(RunningTurns.TOO_LONG)
        ? new TurnOutcome.LimitReached(
            ErrorCode.BUDGET_EXHAUSTED.fault(
                "the turn has used all the time that was left in its budget",
                "the events of this turn are processed in another turn"))
        : new TurnOutcome.TurnFailed(reason);
  }

  /// The error for the agent. It is not recorded: it follows from the configuration and the earlier
  /// calls, so a replay has the same result.
  public static ToolPipeline.ResultWithUnread answer(Fault refusal) {
    return new ToolPipeline.ResultWithUnread(
        ToolResult.Failed.because(refusal), UnreadSummary.NONE);
  }

  private static Fault reached(String message) {
    return ErrorCode.LIMIT_REACHED.fault(message, HINT);
  }
}
