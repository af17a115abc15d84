package dev.substrat.credential;

import dev.substrat.fault.Fault;
import dev.substrat.http.Gate;
import dev.substrat.id.CredentialId;
import dev.substrat.id.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens, and who is behind them.
///
/// A token is shown once, when it is minted; only its hash is kept. It is checked against the
/// database on every request, so that a revoked one stops working at once, on every daemon.
public final class Credentials implements Gate {
  private static final String INSERT =
      """
      insert into credential (id, hash, principal, label, created_at, expires_at)
      values (?, ?, ?, ?, ?, ?)
      """;

  /// A token that is minted while its agent is being terminated escapes the revocation, so the
  /// agent is looked at too.
  private static final String FIND =
      """
      select id, hash, principal, label, created_at, expires_at, revoked_at from credential
      where id = ?
        and not exists (
          select 1 from agent
          where agent.id = credential.principal and agent.terminated_at is not null
        )
      """;

  private final Database database;
  private final InstantSource clock;

  public Credentials(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// A new token for `principal`; the only time anybody sees it.
  public Token mint(Principal principal, String label) {
    return mint(principal, label, null);
  }

  /// One that is good for `validity` only.
  public Token mintUntil(Principal principal, String label, Duration validity) {
    return mint(principal, label, clock.instant().plus(validity));
  }

  private Token mint(Principal principal, String label, @Nullable Instant until) {
    var token = Token.random();
    var id = token.id().value();
    var now = clock.instant();
    database.transact(
        tx -> tx.update(INSERT, id, token.hash(), principal.key(), label, now, until));
    return token;
  }

  @Override
  public Optional<Principal> admit(String text) {
    return Token.parse(text)
        .flatMap(token ->
            database
                .read(tx -> tx.find(FIND, Credentials::credential, token.id().value()))
                .filter(known -> token.matches(known.hash()) && known.isValid(clock.instant())))
        .map(Credential::principal);
  }

  public List<Credential> list() {
    return database.read(tx ->
        tx.list(
            """
            select id, hash, principal, label, created_at, expires_at, revoked_at
            from credential
            order by id
            """,
            Credentials::credential));
  }

  public void revoke(CredentialId id) {
    int revoked =
        database.transact(tx ->
            tx.update(
                "update credential set revoked_at = coalesce(revoked_at, ?) where id = ?",
                clock.instant(),
                id.value()));
    if (revoked == 0) {
      throw new Fault(ErrorCode.NOT_FOUND, "there is no token " + id, "GET /api/tokens lists them");
    }
  }

  /// Revokes everything `principal` holds, as part of ending it.
  public static void revokeAll(Tx tx, Principal principal, Instant now) {
    tx.update(
        "update credential set revoked_at = ? where principal = ? and revoked_at is null",
        now,
        principal.key());
  }

  private static Credential credential(Row row) {
    return new Credential(
        new CredentialId(row.text("id")),
        row.text("hash"),
        Principal.parse(row.text("principal")),
        row.text("label"),
        row.instant("created_at"),
        row.instantOrNull("expires_at"),
        row.instantOrNull("revoked_at"));
  }
}
