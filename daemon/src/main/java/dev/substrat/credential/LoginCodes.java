package dev.substrat.credential;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// One-time codes in links that open the console.
///
/// Kept in memory only: a link is for now, and one that a restart forgets is easily made again.
/// Safe for many threads: taking a code out of the map is what uses it up.
public final class LoginCodes {
  private static final Duration VALID = Duration.ofMinutes(15);

  private final Map<String, Instant> open = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public LoginCodes(InstantSource clock) {
    this.clock = clock;
  }

  public String fresh() {
    open.values().removeIf(until -> clock.instant().isAfter(until));
    String code = Token.random().secret();
    open.put(code, clock.instant().plus(VALID));
    return code;
  }

  /// True once, if the code is known and still good.
  public boolean use(String code) {
    Instant until = open.remove(code);
    return until != null && clock.instant().isBefore(until);
  }
}
