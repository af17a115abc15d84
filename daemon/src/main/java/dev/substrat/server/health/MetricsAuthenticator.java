package dev.substrat.server.health;

import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Authenticator that admits scrapers of `/metrics` while the database is down.
///
/// Tokens are in the database, and metrics are needed most when it fails. A token that was valid
/// for `/metrics` within the last hour remains so during an outage, for that route only; as soon as
/// the database answers, it decides again.
///
/// Safe for many threads. The tokens are in memory only, as hashes.
public final class MetricsAuthenticator implements TokenAuthenticator {
  private static final Duration REMEMBERED = Duration.ofHours(1);
  private static final int MAX_ENTRIES = 100;

  private final TokenAuthenticator real;
  private final BooleanSupplier isDatabaseDown;
  private final InstantSource clock;

  /// Guarded by itself; the tokens that were used longest ago first.
  private final Map<String, CachedCaller> admitted = new LinkedHashMap<>();

  private record CachedCaller(CallerPermissions caller, Instant until) {}

  public MetricsAuthenticator(
      TokenAuthenticator real, BooleanSupplier isDatabaseDown, InstantSource clock) {
    this.real = real;
    this.isDatabaseDown = isDatabaseDown;
    this.clock = clock;
  }

  @Override
  public Optional<CallerPermissions> authenticate(String token) {
    return real.authenticate(token);
  }

  @Override
  public Optional<CallerPermissions> authenticate(String token, RouteAccess access) {
    if (access != Scope.METRICS_READ) {
      return real.authenticate(token, access);
    }
    String key = ContentHash.of(token);
    if (isDatabaseDown.getAsBoolean()) {
      // Without this, every scrape would wait until the connection pool gives up.
      Optional<CallerPermissions> known = remembered(key);
      if (known.isPresent()) {
        return known;
      }
    }
    try {
      Optional<CallerPermissions> caller = real.authenticate(token, access);
      remember(key, caller.filter(one -> one.may(Scope.METRICS_READ)));
      return caller;
    } catch (Fault fault) {
      if (fault.code().kind() != ErrorCode.ErrorKind.OUTSIDE) {
        throw fault;
      }
      return Optional.of(remembered(key).orElseThrow(() -> fault));
    }
  }

  private void remember(String key, Optional<CallerPermissions> caller) {
    synchronized (admitted) {
      admitted.remove(key);
      caller.ifPresent(
          one -> admitted.put(key, new CachedCaller(one, clock.instant().plus(REMEMBERED))));
      if (admitted.size() > MAX_ENTRIES) {
        admitted.remove(admitted.keySet().iterator().next());
      }
    }
  }

  private Optional<CallerPermissions> remembered(String key) {
    synchronized (admitted) {
      return Optional.ofNullable(admitted.get(key))
          .filter(one -> clock.instant().isBefore(one.until()))
          .map(CachedCaller::caller);
    }
  }

  @Override
  public Optional<CallerPermissions> authenticateSession(String session) {
    return real.authenticateSession(session);
  }

  @Override
  public Optional<CallerPermissions> anonymous() {
    return real.anonymous();
  }
}
