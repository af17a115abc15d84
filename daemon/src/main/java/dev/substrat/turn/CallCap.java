package dev.substrat.turn;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.tool.InboxNews;
import dev.substrat.tool.ToolReply;
import dev.substrat.tool.Toolbox;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// How many calls a turn may make.
///
/// What it refuses is not recorded: it follows from the configuration and the calls before, so that
/// a replay refuses the same. Safe for many threads.
public final class CallCap {
  private final int most;
  private final AtomicInteger calls = new AtomicInteger();

  public CallCap(Agent agent) {
    this.most = agent.config().limitsOrDefault().callsPerTurn();
  }

  /// Counts one more call, and answers it if it is one too many.
  public Optional<Toolbox.Answer> refuseOneMore() {
    return calls.incrementAndGet() <= most ? Optional.empty() : Optional.of(refusal());
  }

  private Toolbox.Answer refusal() {
    return new Toolbox.Answer(
        ToolReply.Failed.because(
            new Fault(
                ErrorCode.LIMIT_REACHED,
                "you have made " + most + " tool calls in this turn",
                "end your turn; the next message starts a new one")),
        InboxNews.NONE);
  }
}
