package dev.substrat.access.credential;

import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.DelegationCheck;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.ReadThroughCache;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Creates, checks and revokes tokens.
///
/// A token is shown once, when it is created; only its hash is stored. Each request is checked
/// against the current state of the database, so a revoked token stops working immediately, on
/// every daemon.
public final class Credentials implements TokenAuthenticator {
  private static final String INSERT =
      """
      insert into credential
        (id, hash, principal, label, created_at, run_id, default_agent_id, zoo_agents, scopes,
         expires_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /// More than the number of tokens in use, also if a client guesses ids.
  private static final int MAX_ENTRIES = 10_000;

  /// The agent is checked, too: a token that is created while its agent is being terminated escapes
  /// the revocation. The token of a turn is valid only while the turn is its agent's current one.
  static final String FIND_USABLE =
      Credential.SELECT
          + """
          where id = ?
            and not exists (
              select 1 from agent
              where agent.id = credential.principal and agent.terminated_at is not null
            )
            and (run_id is null or exists (
              select 1 from run join agent on agent.id = run.agent_id
              where run.id = credential.run_id
                and run.status = 'running'
                and agent.turn_no = run.turn_no
                and agent.lease_owner is not null
            ))
          """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final ReadThroughCache<String, Optional<Credential>> usable;

  public Credentials(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.usable =
        new ReadThroughCache<>(
            database,
            Set.of("credential", "agent", "run", "person"),
            MAX_ENTRIES,
            (tx, id) -> tx.find(FIND_USABLE, Credential::of, id));
  }

  /// Creates a token for `principal`. Its text is available only here.
  public Token mint(Principal principal, String label) {
    return mint(principal, label, TokenLimits.NONE);
  }

  /// Creates a token for `principal` on behalf of `by`; it must not allow more than `by` may do.
  public Token mint(CallerPermissions by, Principal principal, String label, TokenLimits limits) {
    DelegationCheck.requireToken(by, principal, limits.grants());
    return mint(principal, label, limits);
  }

  private Token mint(Principal principal, String label, TokenLimits limits) {
    return database.transact(tx -> mint(tx, principal, label, limits));
  }

  /// Creates a token as part of a transaction.
  public Token mint(Tx tx, Principal principal, String label, TokenLimits limits) {
    var token = Token.random();
    tx.update(
        INSERT,
        token.id().value(),
        token.hash(),
        principal.key(),
        label,
        clock.instant(),
        null,
        Credential.defaultAgent(principal),
        Credential.agents(principal),
        limits.stored(),
        limits.expiresAt());
    events.append(
        tx,
        event("token_minted", token.id(), principal)
            .with("label", label)
            .with("scopes", limits.stored())
            .with("expiresAt", limits.expiresAt() == null ? null : limits.expiresAt().toString()));
    return token;
  }

  /// Creates the token of a turn, in a transaction that has checked that the turn runs. The token
  /// is valid until the turn ends.
  public static Token mintFor(Tx tx, Principal.TurnPrincipal turn, Instant now) {
    var token = Token.random();
    tx.update(
        INSERT,
        token.id().value(),
        token.hash(),
        turn.key(),
        "turn",
        now,
        turn.run().value(),
        null,
        null,
        null,
        null);
    return token;
  }

  @Override
  public Optional<CallerPermissions> authenticate(String text) {
    return Token.parse(text).flatMap(token -> known(token, token.hash()));
  }

  @Override
  public Optional<CallerPermissions> authenticateSession(String text) {
    return Token.parse(text).flatMap(session -> known(session, session.sessionHash()));
  }

  private Optional<CallerPermissions> known(Token token, String hash) {
    return usable
        .get(token.id().value())
        .filter(known -> Token.isSame(hash, known.hash()) && known.isValid(clock.instant()))
        .map(Credential::admission);
  }

  /// Tokens in the order of their creation, after `after`, without tokens of turns.
  public List<Credential> list(String after, int limit) {
    return database.read(tx ->
        tx.list(
            Credential.SELECT + " where run_id is null and id > ? order by id limit ?",
            Credential::of,
            after,
            limit));
  }

  /// Tokens of `principal` that are not revoked, newest first.
  public List<Credential> held(Principal principal, int limit) {
    return database.read(tx ->
        tx.list(
            Credential.SELECT
                + """
                where principal = ? and run_id is null and revoked_at is null
                order by id desc limit ?
                """,
            Credential::of,
            principal.key(),
            limit));
  }

  private Credential require(CredentialId id) {
    return database.<Credential>read(tx -> find(tx, id).orElseThrow(() -> unknown(id)));
  }

  /// Revokes a token that allows no more than `by` may do.
  public void revoke(CallerPermissions by, CredentialId id) {
    Credential known = require(id);
    DelegationCheck.requireToken(by, known.principal(), known.grants());
    revoke(id);
  }

  /// Revokes a token and the sessions that were created with it.
  public void revoke(CredentialId id) {
    database.transact(tx -> {
      Credential known = find(tx, id).orElseThrow(() -> unknown(id));
      int revoked =
          tx.update(
              "update credential set revoked_at = ? where id = ? and revoked_at is null",
              clock.instant(),
              id.value());
      if (revoked == 1) {
        events.append(tx, event("token_revoked", id, known.principal()));
        BrowserSessions.revoke(tx, events, known, clock.instant());
      }
      return true;
    });
  }

  /// Tokens of turns are not found.
  static Optional<Credential> find(Tx tx, CredentialId id) {
    return tx.find(
        Credential.SELECT + " where id = ? and run_id is null", Credential::of, id.value());
  }

  /// Event about a token of `whose`, without its secret.
  static NewEvent event(String kind, CredentialId id, Principal whose) {
    var event = NewEvent.of(kind).with("token", id.value()).with("principal", whose.key());
    return whose instanceof Principal.AgentPrincipal one ? event.about(one.agent().value()) : event;
  }

  static Fault unknown(CredentialId id) {
    return ErrorCode.NOT_FOUND.fault(
        "token " + id + " not found", "list tokens (GET /api/tokens, ./substrat token list)");
  }

  /// Revokes all tokens of `principal`, as part of ending it.
  public static void revokeAll(Tx tx, Principal principal, Instant now) {
    tx.update(
        "update credential set revoked_at = ? where principal = ? and revoked_at is null",
        now,
        principal.key());
  }
}
