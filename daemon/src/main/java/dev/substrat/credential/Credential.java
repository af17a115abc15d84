package dev.substrat.credential;

import dev.substrat.id.AgentId;
import dev.substrat.id.CredentialId;
import dev.substrat.id.Principal;
import dev.substrat.id.RunId;
import dev.substrat.store.Row;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What we keep of a token: never the token. `createdAt` is when the first of its line was minted,
/// `rotatedAt` when this one took the place of the one before.
public record Credential(
    CredentialId id,
    String hash,
    Principal principal,
    String label,
    Instant createdAt,
    @Nullable Instant rotatedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant revokedAt,
    @Nullable CredentialId replacedBy) {

  static final String SELECT =
      """
      select id, hash, principal, label, created_at, expires_at, revoked_at, run_id, rotated_at,
        replaced_by, default_agent_id
      from credential
      """;

  /// The agent that goes with a visitor's token, if there is one.
  public @Nullable String defaultAgent() {
    return defaultAgent(principal);
  }

  boolean isValid(Instant now) {
    return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
  }

  static Credential of(Row row) {
    @Nullable String replacedBy = row.textOrNull("replaced_by");
    return new Credential(
        new CredentialId(row.text("id")),
        row.text("hash"),
        principal(row),
        row.text("label"),
        row.instant("created_at"),
        row.instantOrNull("rotated_at"),
        row.instantOrNull("expires_at"),
        row.instantOrNull("revoked_at"),
        replacedBy == null ? null : new CredentialId(replacedBy));
  }

  /// The agent that goes with a visitor's token.
  static @Nullable String defaultAgent(Principal principal) {
    return principal instanceof Principal.Zoo visitor && visitor.defaultAgent() != null
        ? visitor.defaultAgent().value()
        : null;
  }

  private static Principal principal(Row row) {
    @Nullable String run = row.textOrNull("run_id");
    @Nullable String defaultAgent = row.textOrNull("default_agent_id");
    if (defaultAgent != null) {
      return new Principal.Zoo(new AgentId(defaultAgent));
    }
    return run == null
        ? Principal.parse(row.text("principal"))
        : new Principal.OfTurn(new AgentId(row.text("principal")), new RunId(run));
  }
}
