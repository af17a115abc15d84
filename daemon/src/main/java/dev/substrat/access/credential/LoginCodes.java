package dev.substrat.access.credential;

import dev.substrat.platform.identity.CredentialId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// One-time login codes of links that open the console.
///
/// Kept in memory only: links are short-lived, and a new one is easily created after a restart.
/// Safe for many threads: removing a code from the map consumes it.
public final class LoginCodes {
  private static final Duration VALID = Duration.ofMinutes(15);

  private final Map<String, LoginLink> open = new ConcurrentHashMap<>();
  private final InstantSource clock;

  public LoginCodes(InstantSource clock) {
    this.clock = clock;
  }

  private record LoginLink(CredentialId by, Instant until) {}

  /// Creates a code for the rights of `by`.
  public String create(CredentialId by) {
    open.values().removeIf(link -> clock.instant().isAfter(link.until()));
    String code = Token.random().secret();
    open.put(code, new LoginLink(by, clock.instant().plus(VALID)));
    return code;
  }

  /// The credential that created the code; once, if the code is valid.
  public Optional<CredentialId> use(String code) {
    return Optional.ofNullable(open.remove(code))
        .filter(link -> clock.instant().isBefore(link.until()))
        .map(LoginLink::by);
  }
}
