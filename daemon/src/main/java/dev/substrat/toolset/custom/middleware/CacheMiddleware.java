package dev.substrat.toolset.custom.middleware;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.toolset.custom.ToolExecutor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/// Caches results of a tool by its arguments for a while. Only successful results are cached, and
/// agents never share them.
///
/// Safe for many threads: two concurrent calls with the same arguments may both be executed.
public final class CacheMiddleware implements ToolExecutor {
  private final ToolExecutor inner;
  private final Duration ttl;
  private final InstantSource clock;
  private final ResultCache cache;

  public CacheMiddleware(ToolExecutor inner, Duration ttl, InstantSource clock, ResultCache cache) {
    this.inner = inner;
    this.ttl = ttl;
    this.clock = clock;
    this.cache = cache;
  }

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    var key = new ResultCache.CacheKey(this, ContentHash.of(arguments));
    Optional<ToolResult.Done> known = cache.find(key);
    if (known.isPresent()) {
      return known.get();
    }
    ToolResult reply = inner.run(call, arguments);
    if (reply instanceof ToolResult.Done done) {
      cache.put(key, done, Json.bytes(done.json()).length, clock.instant().plus(ttl));
    }
    return reply;
  }
}
