package dev.substrat.credential;

import dev.substrat.id.CredentialId;
import dev.substrat.id.Principal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What we keep of a token: never the token.
public record Credential(
    CredentialId id,
    String hash,
    Principal principal,
    String label,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt) {

  boolean isValid(Instant now) {
    return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
  }
}
