package dev.substrat.http.server;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.RouteAccess;
import java.util.Optional;

/// Resolves a token to its principal. Declared by the server, implemented by `access.credential`.
@FunctionalInterface
public interface TokenAuthenticator {
  Optional<CallerPermissions> authenticate(String token);

  /// The same for a request to a route that requires `access`: some must work during an outage of
  /// the database.
  default Optional<CallerPermissions> authenticate(String token, RouteAccess access) {
    return authenticate(token);
  }

  /// Resolves the session cookie of a browser. A session is not a token and is accepted only as a
  /// cookie; a token is not accepted as a cookie.
  default Optional<CallerPermissions> authenticateSession(String session) {
    return Optional.empty();
  }

  /// Permissions of a request without a token: none, unless the daemon allows anonymous access.
  default Optional<CallerPermissions> anonymous() {
    return Optional.empty();
  }
}
