package dev.substrat.access.credential;

import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Limits of a token: its scopes (none means all scopes of its holder) and its expiry.
public record TokenLimits(List<Grant> grants, @Nullable Instant expiresAt) {
  public static final TokenLimits NONE = new TokenLimits(List.of(), null);

  /// The scopes as stored in the database.
  @Nullable String stored() {
    return stored(grants);
  }

  static @Nullable String stored(List<Grant> grants) {
    return grants.isEmpty() ? null : Json.text(grants.stream().map(Grant::text).toList());
  }

  static List<Grant> grants(@Nullable String stored) {
    return stored == null
        ? List.of()
        : Json.own(stored).valueStream().map(one -> Grant.parse(one.asText())).toList();
  }
}
