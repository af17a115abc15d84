package dev.substrat.turn;

import dev.substrat.budget.Reservation;
import dev.substrat.fault.Fault;
import dev.substrat.limit.Limits;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.tool.CallLimits;
import dev.substrat.transcript.Usage;
import java.util.Optional;

/// How much one turn has done so far, against what one turn may do. Safe for many threads: a
/// provider may call tools side by side.
final class TurnCaps {
  private static final String HINT = "end your turn; the next message starts a new one";

  private final Limits limits;
  private int steps;
  private int calls;
  private int messages;
  private long tokens;
  private long reserved;

  TurnCaps(Limits limits) {
    this.limits = limits;
  }

  /// Refuses a step too many, and one that could use more tokens than are left. The last one is
  /// over by now: what it has not told counts as reserved.
  synchronized void beginStep(Reservation most) {
    tokens += reserved;
    reserved = 0;
    if (steps >= limits.stepsPerTurn()) {
      throw reached("the turn has taken " + steps + " steps");
    }
    if (tokens + most.tokens() > limits.tokensPerTurn()) {
      throw reached(
          "the turn has used %d of %d tokens, and this step may need %d"
              .formatted(tokens, limits.tokensPerTurn(), most.tokens()));
    }
    steps++;
    reserved = most.tokens();
  }

  synchronized void endStep(Usage usage) {
    tokens += usage.tokens() == 0 ? reserved : usage.tokens();
    reserved = 0;
  }

  /// Why the agent may not make this call any more, if so.
  synchronized Optional<Fault> refuse(String tool) {
    if (calls >= limits.callsPerTurn()) {
      return Optional.of(reached("you have made " + calls + " tool calls in this turn"));
    }
    boolean sends = CallLimits.isSending(tool);
    if (sends && messages >= limits.messagesPerTurn()) {
      return Optional.of(reached("you have sent " + messages + " messages in this turn"));
    }
    calls++;
    messages += sends ? 1 : 0;
    return Optional.empty();
  }

  private static Fault reached(String message) {
    return new Fault(ErrorCode.LIMIT_REACHED, message, HINT);
  }
}
