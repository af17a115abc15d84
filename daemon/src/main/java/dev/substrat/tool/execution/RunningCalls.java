package dev.substrat.tool.execution;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolResult;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Registry of running calls that leave the daemon, by idempotency key. A call without a result is
/// not in the database yet, so the same call is rejected meanwhile.
///
/// In memory only: a call that was running when its daemon died has no result and is executed
/// again.
///
/// Safe for many threads.
final class RunningCalls {
  private static final long SOON_MILLIS = 1_000;

  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /// Registers a call before it is looked up; closed when its result is stored.
  RunningCall begin(ToolCall call, Tool tool) {
    if (call.idempotencyKey() == null || !tool.isOpenWorld()) {
      return new RunningCall(null, true);
    }
    String key = call.caller().agent().id() + "/" + RepeatedCalls.key(call, tool);
    return keys.add(key) ? new RunningCall(key, true) : new RunningCall(null, false);
  }

  /// The error for a call that is already running. Calls of a turn have generated keys, so the
  /// agent cannot repeat one on purpose.
  static ToolResult refusal(ToolCaller caller, Tool tool) {
    return new ToolResult.Failed(
        ErrorCode.CONFLICT,
        "the same call of %s is already running".formatted(tool.name()),
        caller.isExternal()
            ? "repeat the call with the same key after retryAfterMs to get its result; to execute"
                + " the call twice, use another key"
            : "do not repeat the call; check its effect later",
        OptionalLong.of(SOON_MILLIS));
  }

  /// A running call.
  final class RunningCall implements AutoCloseable {
    private final @Nullable String key;
    private final boolean isAlone;

    private RunningCall(@Nullable String key, boolean isAlone) {
      this.key = key;
      this.isAlone = isAlone;
    }

    /// False if the same call is already running.
    boolean isAlone() {
      return isAlone;
    }

    @Override
    public void close() {
      if (key != null) {
        keys.remove(key);
      }
    }
  }
}
