package dev.substrat.tool.execution;

import dev.substrat.tool.ToolCaller;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Rules for the calls of a tool that leaves the daemon: how long a caller waits before the call
/// becomes a pending call, whether it may be executed again, and how many an agent may have at the
/// same time.
///
/// `inlineSeconds` is null for the default. A call is repeatable if executing it a second time does
/// no harm, which matters only if the daemon that executes it dies. A call that is handed over is
/// answered by a service: its work opens the pending call itself.
public record InlinePolicy(
    @Nullable Integer inlineSeconds, boolean isRepeatable, int atOnce, boolean isHandedOver) {
  /// Maximum number of concurrent calls of one agent, for all tools together.
  static final int AT_ONCE = 32;

  private static final Duration IN_TURN = Duration.ofSeconds(4);

  /// External agents hold no slot while they wait.
  private static final Duration EXTERNAL = Duration.ofSeconds(30);

  public InlinePolicy(@Nullable Integer inlineSeconds, boolean isRepeatable) {
    this(inlineSeconds, isRepeatable, AT_ONCE, false);
  }

  /// Rules for a tool that hands its calls over to a service.
  public static InlinePolicy handedOver(@Nullable Integer inlineSeconds) {
    return new InlinePolicy(inlineSeconds, false, AT_ONCE, true);
  }

  Duration inline(ToolCaller caller) {
    if (inlineSeconds != null) {
      return Duration.ofSeconds(inlineSeconds);
    }
    return caller.isExternal() ? EXTERNAL : IN_TURN;
  }
}
