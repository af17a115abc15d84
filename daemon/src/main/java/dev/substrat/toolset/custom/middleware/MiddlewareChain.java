package dev.substrat.toolset.custom.middleware;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.limit.TokenBuckets;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.toolconfig.MiddlewareConfig;
import dev.substrat.tool.ToolResult;
import dev.substrat.toolset.custom.ToolExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/// Middleware around a tool's execution: the first in the list is the outermost, so it sees a call
/// first and its result last.
public final class MiddlewareChain {
  private static final Log LOG = Log.of(MiddlewareChain.class);
  private static final int DEFAULT_TTL_SECONDS = 300;
  private static final int DEFAULT_PER_MINUTE = 60;

  private final InstantSource clock;
  private final TokenBuckets buckets;
  private final ResultCache cache;

  public MiddlewareChain(InstantSource clock) {
    this.clock = clock;
    this.buckets = new TokenBuckets(clock);
    this.cache = new ResultCache(clock);
  }

  public ToolExecutor put(List<MiddlewareConfig> list, String tool, ToolExecutor work) {
    ToolExecutor whole = work;
    for (MiddlewareConfig one : list.reversed()) {
      whole = put(one, tool, whole);
    }
    return whole;
  }

  private ToolExecutor put(MiddlewareConfig one, String tool, ToolExecutor inner) {
    ObjectNode options = one.options();
    return switch (one.name()) {
      case "log" -> logged(tool, inner);
      case "limit" -> limited(tool, options.path("perMinute").asInt(DEFAULT_PER_MINUTE), inner);
      case "cache" ->
          new CacheMiddleware(
              inner,
              Duration.ofSeconds(options.path("ttlSeconds").asInt(DEFAULT_TTL_SECONDS)),
              clock,
              cache);
      case "redact" -> redacted(RedactMiddleware.of(List.of(one)), inner);
      // Repairing comes before a call is checked; see ConfiguredTool.
      default -> inner;
    };
  }

  /// Neither arguments nor results: they may hold what no log should.
  private ToolExecutor logged(String tool, ToolExecutor inner) {
    return (call, arguments) -> {
      long start = clock.millis();
      ToolResult reply = inner.run(call, arguments);
      LOG.info(
          "custom tool called",
          "tool",
          tool,
          "agent",
          call.caller().agent().handle(),
          "ok",
          !(reply instanceof ToolResult.Failed),
          "millis",
          clock.millis() - start);
      return reply;
    };
  }

  private ToolExecutor limited(String tool, int perMinute, ToolExecutor inner) {
    return (call, arguments) ->
        buckets
            .take(call.caller().agent().id() + "/" + tool, perMinute)
            .map(wait -> tooMany(tool, perMinute, wait))
            .orElseGet(() -> inner.run(call, arguments));
  }

  private static ToolResult tooMany(String tool, int perMinute, Duration wait) {
    return new ToolResult.Failed(
        ErrorCode.RATE_LIMITED,
        "the rate limit of %s is %d calls per minute".formatted(tool, perMinute),
        "try again after retryAfterMs",
        OptionalLong.of(wait.toMillis()));
  }

  /// Redacts results. A later result is redacted when it arrives, by `PendingCallCompletion`.
  private static ToolExecutor redacted(RedactMiddleware redaction, ToolExecutor inner) {
    return (call, arguments) ->
        switch (inner.run(call.mappingProgress(redaction::without), arguments)) {
          case ToolResult.Done done ->
              new ToolResult.Done(redaction.without(done.json()), done.hint());
          // An excerpt is not parsed, so its values cannot be redacted.
          case ToolResult.Failed failed -> failed.without("excerpt");
          case ToolResult.Pending pending -> pending;
        };
  }
}
