package dev.substrat.access.credential;

import dev.substrat.platform.identity.CredentialId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// One-time codes in links that open the console.
///
/// Kept in memory only: a link is for now, and one that a restart forgets is easily made again.
/// Safe for many threads: taking a code out of the map is what uses it up.
public final class LoginCodes {
  private static final Duration VALID = Duration.ofMinutes(15);

  private final Map<String, Link> open = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public LoginCodes(InstantSource clock) {
    this.clock = clock;
  }

  private record Link(CredentialId by, Instant until) {}

  /// One that opens what `by` opens.
  public String fresh(CredentialId by) {
    open.values().removeIf(link -> clock.instant().isAfter(link.until()));
    String code = Token.random().secret();
    open.put(code, new Link(by, clock.instant().plus(VALID)));
    return code;
  }

  /// With what it was made, once, if the code is known and still good.
  public Optional<CredentialId> use(String code) {
    return Optional.ofNullable(open.remove(code))
        .filter(link -> clock.instant().isBefore(link.until()))
        .map(Link::by);
  }
}
