package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ToolResult;
import dev.substrat.toolset.custom.middleware.CacheMiddleware;
import dev.substrat.toolset.custom.middleware.ResultCache;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// All caches of tool results share one size limit.
@Requirement("S3-4")
final class ResultCacheTest {
  private static final long LARGE = 20_000_000;

  private final SettableClock clock = new SettableClock(Instant.parse("2026-01-05T12:00:00Z"));
  private final ResultCache shelf = new ResultCache(clock);
  private final CacheMiddleware looking = cached();
  private final CacheMiddleware listing = cached();

  @Test
  void a_tool_does_not_get_cached_answers_of_another() {
    keep(looking, "1", 10);

    assertThat(shelf.find(new ResultCache.CacheKey(looking, "1"))).isPresent();
    assertThat(shelf.find(new ResultCache.CacheKey(listing, "1"))).isEmpty();
  }

  @Test
  void large_answers_evict_the_least_used_entries_of_all_tools() {
    keep(looking, "1", LARGE);
    keep(listing, "1", LARGE);
    keep(looking, "2", LARGE);
    assertThat(shelf.find(new ResultCache.CacheKey(looking, "1"))).isPresent();

    keep(listing, "2", LARGE);

    assertThat(shelf.find(new ResultCache.CacheKey(listing, "1"))).isEmpty();
    assertThat(shelf.find(new ResultCache.CacheKey(looking, "1"))).isPresent();
  }

  @Test
  void expired_and_replaced_entries_use_no_space() {
    keep(looking, "old", LARGE);
    clock.pass(Duration.ofSeconds(61));
    assertThat(shelf.find(new ResultCache.CacheKey(looking, "old"))).isEmpty();
    keep(looking, "1", LARGE);
    keep(looking, "1", LARGE);
    keep(looking, "2", LARGE);
    keep(looking, "3", LARGE);

    assertThat(IntStream.rangeClosed(1, 3))
        .allMatch(n -> shelf.find(new ResultCache.CacheKey(looking, "" + n)).isPresent());
  }

  private CacheMiddleware cached() {
    return new CacheMiddleware((_, _) -> reply(), Duration.ofSeconds(60), clock, shelf);
  }

  private void keep(CacheMiddleware owner, String arguments, long size) {
    shelf.put(
        new ResultCache.CacheKey(owner, arguments), reply(), size, clock.instant().plusSeconds(60));
  }

  private static ToolResult.Done reply() {
    return new ToolResult.Done(Json.object());
  }
}
