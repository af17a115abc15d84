package dev.substrat.console.runs;

import dev.substrat.console.Avatar;
import java.time.Instant;

/// A run among others, of an agent that is `called` so that nobody takes it for another. `began` is
/// what it was about, `took` how long it was, or empty while it lasts, and `reason` why it failed,
/// or empty. `unpostedIn` is the space in which it finished without posting, or empty.
public record RunRow(
    String id,
    String agentId,
    String agent,
    String name,
    String called,
    long turn,
    int attempt,
    RunStatus status,
    String began,
    String reason,
    Instant at,
    String took,
    String unpostedIn,
    Used used) {

  /// What it came to: how often its mind was asked, what it called, what that cost.
  public record Used(long steps, Calls calls, long tokens, String cost) {}

  /// How much it called. `refused` were not done because they asked for what cannot be, `failed`
  /// because something was broken.
  public record Calls(long all, long refused, long failed) {}

  public String path() {
    return "/runs/" + id;
  }

  public Avatar avatar() {
    return Avatar.of(agentId, name);
  }
}
