package dev.substrat.access.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Token bucket rate limiter: a number of tokens per minute, with a burst of the same size.
///
/// Kept in memory: a restart fills all buckets. Safe for many threads: each bucket is replaced
/// atomically.
public final class TokenBuckets {
  private static final Duration FULL_AFTER = Duration.ofMinutes(1);
  private static final int TAKEN_BETWEEN_LOOKS = 1_000;

  private final AtomicInteger taken = new AtomicInteger();
  private final Map<String, TokenBucket> buckets = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public TokenBuckets(InstantSource clock) {
    this.clock = clock;
  }

  /// Takes one of `perMinute` from the bucket `name`; if it is empty, returns the wait time.
  public Optional<Duration> take(String name, int perMinute) {
    Instant now = clock.instant();
    if (taken.incrementAndGet() % TAKEN_BETWEEN_LOOKS == 0) {
      forgetFull(now);
    }
    var wait = new Duration[1];
    buckets.compute(
        name,
        (_, before) -> {
          TokenBucket full = before == null ? new TokenBucket(perMinute, now) : before;
          TokenBucket refilled = full.refilled(perMinute, now);
          if (refilled.tokens >= 1) {
            return new TokenBucket(refilled.tokens - 1, now);
          }
          wait[0] = Duration.ofMillis((long) Math.ceil((1 - refilled.tokens) * 60_000 / perMinute));
          return refilled;
        });
    return Optional.ofNullable(wait[0]);
  }

  /// A bucket that was not used for a minute is full again.
  private void forgetFull(Instant now) {
    buckets.values().removeIf(bucket -> bucket.at.plus(FULL_AFTER).isBefore(now));
  }

  int size() {
    return buckets.size();
  }

  private record TokenBucket(double tokens, Instant at) {
    TokenBucket refilled(int perMinute, Instant now) {
      double gained = Duration.between(at, now).toMillis() * perMinute / 60_000.0;
      return new TokenBucket(Math.min(perMinute, tokens + Math.max(0, gained)), now);
    }
  }
}
