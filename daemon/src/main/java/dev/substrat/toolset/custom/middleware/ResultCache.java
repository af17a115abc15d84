package dev.substrat.toolset.custom.middleware;

import dev.substrat.tool.ToolResult;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// In-memory cache of tool results of all agents, with one bound for all tools.
///
/// Safe for many threads, guarded by its lock.
public final class ResultCache {
  private static final int MAX_COUNT = 50_000;

  /// Many of the largest answers there are.
  private static final long MAX_BYTES = 64_000_000;

  private final InstantSource clock;

  /// Most recently used last.
  private final Map<CacheKey, CachedResult> kept = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  public ResultCache(InstantSource clock) {
    this.clock = clock;
  }

  /// Key of a result. Owners are compared by identity.
  public record CacheKey(CacheMiddleware owner, String arguments) {}

  private record CachedResult(ToolResult.Done reply, long bytes, Instant until) {}

  public synchronized Optional<ToolResult.Done> find(CacheKey key) {
    CachedResult found = kept.get(key);
    if (found == null) {
      return Optional.empty();
    }
    if (!clock.instant().isBefore(found.until())) {
      remove(key);
      return Optional.empty();
    }
    return Optional.of(found.reply());
  }

  public synchronized void put(CacheKey key, ToolResult.Done reply, long size, Instant until) {
    remove(key);
    kept.put(key, new CachedResult(reply, size, until));
    bytes += size;
    while (kept.size() > MAX_COUNT || bytes > MAX_BYTES) {
      remove(kept.keySet().iterator().next());
    }
  }

  private void remove(CacheKey key) {
    CachedResult gone = kept.remove(key);
    bytes -= gone == null ? 0 : gone.bytes();
  }
}
