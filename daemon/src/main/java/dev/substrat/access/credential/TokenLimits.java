package dev.substrat.access.credential;

import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What limits a token: its scopes, none meaning all that its holder may do, and when it expires.
public record TokenLimits(List<Grant> grants, @Nullable Instant expiresAt) {
  public static final TokenLimits NONE = new TokenLimits(List.of(), null);

  /// The scopes as the database has them.
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
