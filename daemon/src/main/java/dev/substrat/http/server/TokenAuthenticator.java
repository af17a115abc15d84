package dev.substrat.http.server;

import dev.substrat.platform.identity.CallerPermissions;
import java.util.Optional;

/// Resolves a token to its principal. Declared by the server, implemented by `access.credential`.
@FunctionalInterface
public interface TokenAuthenticator {
  Optional<CallerPermissions> admit(String token);

  /// Who is behind the session that a browser keeps in its cookie. A session is no token: it opens
  /// nothing anywhere else, and a token in a cookie opens nothing either.
  default Optional<CallerPermissions> admitSession(String session) {
    return Optional.empty();
  }

  /// Permissions of a request without a token: none, unless the daemon allows anonymous access.
  default Optional<CallerPermissions> stranger() {
    return Optional.empty();
  }
}
