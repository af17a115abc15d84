package dev.substrat.access.credential;

import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Browser sessions, each created with a token: accepted only by [Credentials#admitSession], and
/// ended when the token is revoked or expires.
public final class BrowserSessions {
  /// Label among the tokens.
  private static final String LABEL = "console session";

  private static final String INSERT =
      """
      insert into credential
        (id, hash, principal, label, created_at, expires_at, parent_id, scopes)
      values (?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public BrowserSessions(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Creates a session for the holder of `opener`, for `validity`; empty if that credential, or the
  /// token behind it, is revoked or expired.
  public Optional<Token> open(CredentialId opener, Duration validity) {
    return database.transact(tx ->
        // A session created by a session belongs to the same token.
        hold(tx, parent(tx, opener).orElse(opener))
            .filter(_ -> find(tx, opener).isPresent())
            .map(by -> open(tx, by, validity)));
  }

  private static Optional<CredentialId> parent(Tx tx, CredentialId session) {
    return tx.find(
        "select parent_id from credential where id = ? and parent_id is not null",
        row -> new CredentialId(row.text("parent_id")),
        session.value());
  }

  /// It cannot be revoked before this transaction ends; a later revocation finds the session.
  private Optional<Credential> hold(Tx tx, CredentialId id) {
    tx.update("update credential set label = label where id = ?", id.value());
    return find(tx, id);
  }

  private Optional<Credential> find(Tx tx, CredentialId id) {
    return Credentials.find(tx, id).filter(known -> known.isValid(clock.instant()));
  }

  private Token open(Tx tx, Credential by, Duration validity) {
    var session = Token.random();
    Principal who = by.principal();
    Instant now = clock.instant();
    tx.update(
        INSERT,
        session.id().value(),
        session.sessionHash(),
        who.key(),
        LABEL,
        now,
        TokenRotation.earlier(now.plus(validity), by.expiresAt()),
        by.id().value(),
        TokenLimits.stored(by.grants()));
    events.append(tx, Credentials.event("token_minted", session.id(), who).with("label", LABEL));
    return session;
  }

  /// Ends the sessions of a token, as part of revoking it.
  static void revoke(Tx tx, EventLog events, Credential opener, Instant now) {
    List<CredentialId> open =
        tx.list(
            "select id from credential where parent_id = ? and revoked_at is null",
            row -> new CredentialId(row.text("id")),
            opener.id().value());
    for (CredentialId session : open) {
      tx.update("update credential set revoked_at = ? where id = ?", now, session.value());
      events.append(tx, Credentials.event("token_revoked", session, opener.principal()));
    }
  }

  /// The same, at the end of a grace period.
  static void end(Tx tx, CredentialId opener, Instant until) {
    tx.update(
        "update credential set expires_at = ? where parent_id = ? and expires_at > ?",
        until,
        opener.value(),
        until);
  }
}
