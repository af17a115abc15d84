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

/// Calls beyond the daemon that are being made, by their keys. What has no result yet cannot be
/// found in the database, so whoever makes the same call meanwhile is sent away.
///
/// In memory only: what a daemon was at when it died has no result, and is done again.
///
/// Safe for many threads.
final class RunningCalls {
  private static final long SOON_MILLIS = 1_000;

  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /// Begins a call, before it is looked up whether it has been made; closed when what it came to is
  /// kept.
  Registration begin(ToolCall call, Tool tool) {
    if (call.idempotencyKey() == null || !tool.isOpenWorld()) {
      return new Registration(null, true);
    }
    String key = call.caller().agent().id() + "/" + RepeatedCalls.key(call, tool);
    return keys.add(key) ? new Registration(key, true) : new Registration(null, false);
  }

  /// A turn has no keys of its own to give: whatever it calls again is another call.
  static ToolResult refusal(ToolCaller caller, Tool tool) {
    return new ToolResult.Failed(
        ErrorCode.CONFLICT,
        "this very call of %s is still being made".formatted(tool.name()),
        caller.isExternal()
            ? "make it again with the same key after retryAfterMs, and you get its result;"
                + " if you want it done twice, use another key"
            : "do not make it again; look later at what it has done",
        OptionalLong.of(SOON_MILLIS));
  }

  /// A call while it is made.
  final class Registration implements AutoCloseable {
    private final @Nullable String key;
    private final boolean isAlone;

    private Registration(@Nullable String key, boolean isAlone) {
      this.key = key;
      this.isAlone = isAlone;
    }

    /// False if somebody else is making the same call.
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
