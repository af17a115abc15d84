package dev.substrat.tool;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.team.Agent;
import org.jspecify.annotations.Nullable;

/// Whose turn a tool is called in. `owner` and `turn` fence every write: once the lease has passed
/// to another turn, writes that carry the old number change nothing. `cause` is the deepest message
/// the turn was shown, `depth` its depth.
///
/// An agent whose mind is elsewhere has no turns of ours: it has no owner, and only its life is
/// checked.
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
