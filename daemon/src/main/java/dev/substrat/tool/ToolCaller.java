package dev.substrat.tool;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.team.Agent;
import org.jspecify.annotations.Nullable;

/// Agent and turn in which a tool is called. `owner` and `turn` fence every write: once the lease
/// has passed to another turn, writes with the old number change nothing. `cause` is the deepest
/// message the turn was shown, `depth` its depth.
///
/// An external agent has no turns: it has no owner, and the fence only checks that it is not
/// terminated.
public record ToolCaller(
    Agent agent,
    RunId run,
    @Nullable String owner,
    long turn,
    int depth,
    @Nullable MessageId cause) {

  public static ToolCaller external(Agent agent, RunId run) {
    return new ToolCaller(agent, run, null, 0, -1, null);
  }

  public boolean isExternal() {
    return owner == null;
  }
}
