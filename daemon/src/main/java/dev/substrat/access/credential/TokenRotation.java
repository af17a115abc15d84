package dev.substrat.access.credential;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.DelegationCheck;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Replaces a token by a new one with the same principal, label, scopes and expiry.
///
/// The old token works for a grace period, so that its user can switch to the new one. It can be
/// replaced only once, so a leaked old token cannot be used to create another successor. Its
/// sessions end with it.
public final class TokenRotation {
  /// Enough time to switch by hand; for longer, a second token is better.
  public static final Duration MAX_GRACE = Duration.ofHours(1);

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public TokenRotation(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// The new token, shown once, and the end of the old one.
  public record RotationResult(Token token, Instant oldUntil) {}

  /// Rotates a token that allows no more than `by` may do.
  public RotationResult rotate(CallerPermissions by, CredentialId id, Duration grace) {
    return rotate(
        id, grace, old -> DelegationCheck.requireToken(by, old.principal(), old.grants()));
  }

  RotationResult rotate(CredentialId id, Duration grace) {
    return rotate(id, grace, _ -> {});
  }

  private RotationResult rotate(CredentialId id, Duration grace, Consumer<Credential> check) {
    if (grace.isNegative() || grace.compareTo(MAX_GRACE) > 0) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/graceSeconds must be between 0 and " + MAX_GRACE.toSeconds(),
          "for longer, create a second token and revoke the first one later");
    }
    var token = Token.random();
    return database.transact(tx -> {
      check.accept(Credentials.find(tx, id).orElseThrow(() -> Credentials.unknown(id)));
      return rotate(tx, id, token, grace);
    });
  }

  private RotationResult rotate(Tx tx, CredentialId id, Token token, Duration grace) {
    Instant now = clock.instant();
    Credential old = Credentials.find(tx, id).orElseThrow(() -> Credentials.unknown(id));
    boolean isUsable =
        old.isValid(now) && tx.find(Credentials.FIND_USABLE, _ -> true, id.value()).isPresent();
    if (!isUsable || end(tx, old, token.id(), now, grace) == 0) {
      throw ErrorCode.CONFLICT.fault(
          "token " + id + " is already revoked, expired or replaced",
          "create a new one (POST /api/tokens, ./substrat token create)");
    }
    tx.update(
        """
        insert into credential
          (id, hash, principal, label, created_at, expires_at, rotated_at, default_agent_id,
           zoo_agents, scopes)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        token.id().value(),
        token.hash(),
        old.principal().key(),
        old.label(),
        old.createdAt(),
        old.expiresAt(),
        now,
        Credential.defaultAgent(old.principal()),
        Credential.agents(old.principal()),
        TokenLimits.stored(old.grants()));
    events.append(
        tx,
        Credentials.event("token_rotated", token.id(), old.principal())
            .with("replaces", id.value()));
    Instant until = earlier(now.plus(grace), old.expiresAt());
    if (grace.isZero()) {
      BrowserSessions.revoke(tx, events, old, now);
    } else {
      BrowserSessions.end(tx, id, until);
    }
    return new RotationResult(token, until);
  }

  /// Updates no row if a concurrent rotation was first.
  private static int end(Tx tx, Credential old, CredentialId heir, Instant now, Duration grace) {
    return tx.update(
        """
        update credential set replaced_by = ?, expires_at = ?, revoked_at = ?
        where id = ? and replaced_by is null and revoked_at is null
        """,
        heir.value(),
        grace.isZero() ? old.expiresAt() : earlier(now.plus(grace), old.expiresAt()),
        grace.isZero() ? now : null,
        old.id().value());
  }

  static Instant earlier(Instant one, @Nullable Instant other) {
    return other == null || one.isBefore(other) ? one : other;
  }
}
