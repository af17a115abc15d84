package dev.substrat.tool;

import dev.substrat.access.limit.AgentLimits;
import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.tool.ToolResult.Failed;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Rate limit of tool calls per agent and tool, so that one agent cannot block the others.
public final class CallLimits {
  private static final Set<String> SENDING =
      Set.of("send_message", "broadcast", "complete", "poke");

  /// Looking at one's mail is never refused: it is how an agent learns why it should stop.
  private static final Set<String> FREE = Set.of("check_inbox");

  private final TokenBuckets buckets;

  public CallLimits(TokenBuckets buckets) {
    this.buckets = buckets;
  }

  /// Whether the tool puts something into an inbox.
  public static boolean isSending(String tool) {
    return SENDING.contains(tool);
  }

  /// Why the call is rejected, if it is. All unknown names share one limit, because there is no end
  /// of them.
  public Optional<Failed> refuse(ToolCaller caller, String tool, boolean isKnown) {
    if (FREE.contains(tool)) {
      return Optional.empty();
    }
    AgentLimits limits = caller.agent().config().limitsOrDefault();
    boolean sends = isSending(tool);
    int perMinute = sends ? limits.messages() : limits.calls();
    String bucket = caller.agent().id() + "/" + (sends ? "messages" : isKnown ? tool : "?");
    return buckets.take(bucket, perMinute).map(wait -> tooMany(caller, tool, perMinute, wait));
  }

  private static Failed tooMany(ToolCaller caller, String tool, int perMinute, Duration wait) {
    return new Failed(
        ErrorCode.RATE_LIMITED,
        "you may call " + tool + " " + perMinute + " times per minute",
        (caller.isExternal() ? "" : "end your turn, or ") + "try again after retryAfterMs",
        OptionalLong.of(wait.toMillis()));
  }
}
