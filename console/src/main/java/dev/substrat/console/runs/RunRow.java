package dev.substrat.console.runs;

import dev.substrat.console.Avatar;
import java.time.Instant;

/// Summary of a run. `called` is the unambiguous name of the agent, `began` the first input, `took`
/// the duration, empty while it is running, and `reason` why it failed, or empty. `unpostedIn` is
/// the space in which it finished without posting, or empty.
public record RunRow(
    String id,
    String agentId,
    String agent,
    String name,
    String displayName,
    long turn,
    int attempt,
    RunStatus status,
    String summary,
    String reason,
    Instant at,
    String duration,
    String unpostedIn,
    RunUsage used) {

  /// Usage: model steps, calls, tokens, cost.
  public record RunUsage(long steps, CallCounts calls, long tokens, String cost) {}

  /// Numbers of calls. `refused` calls were rejected before execution, `failed` calls failed during
  /// it.
  public record CallCounts(long all, long refused, long failed) {}

  public String path() {
    return "/runs/" + id;
  }

  public Avatar avatar() {
    return Avatar.of(agentId, name);
  }
}
