package dev.substrat.access.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Grant;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Role;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A token never allows more than it was created for: not after a rotation, not through a session,
/// and not in the hands of a caller with fewer rights.
@OnEveryDatabase
@Requirement("N7")
final class CredentialRightsTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Principal OPERATOR = new Principal.OperatorPrincipal();
  private static final List<Grant> READING = List.of(Grant.parse("runs:read"));
  private static final TokenLimits LIMITS = new TokenLimits(READING, null);
  private static final CallerPermissions OWNER = new CallerPermissions(OPERATOR);
  private static final CallerPermissions MEMBER =
      new CallerPermissions(new Principal.PersonPrincipal("mia", Role.MEMBER));

  private final TestDatabase place;
  private final Database database;
  private final EventLog events;
  private final Agents agents;
  private final Credentials credentials;
  private final TokenRotation rotation;
  private final BrowserSessions sessions;
  private Instant now = NOON;

  CredentialRightsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, () -> now);
    this.agents = new Agents(database, events, () -> now, (_, _) -> {});
    this.credentials = new Credentials(database, events, () -> now);
    this.rotation = new TokenRotation(database, events, () -> now);
    this.sessions = new BrowserSessions(database, events, () -> now);
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    place.close();
  }

  @Test
  void a_session_with_another_secret_is_rejected() {
    Token session = sessions.open(credentials.mint(OPERATOR, "").id(), DAY).orElseThrow();
    Token guessed = new Token(session.id(), Token.random().secret());

    assertThat(credentials.authenticateSession(session.text())).isPresent();
    assertThat(credentials.authenticateSession(guessed.text())).isEmpty();
  }

  @Test
  void a_session_is_no_token_and_a_token_is_no_session() {
    Token token = credentials.mint(OPERATOR, "");
    Token session = sessions.open(token.id(), DAY).orElseThrow();

    assertThat(credentials.authenticate(session.text())).isEmpty();
    assertThat(credentials.authenticateSession(token.text())).isEmpty();
  }

  @Test
  void scopes_are_kept_by_a_rotation_and_by_a_session() {
    Token token = credentials.mint(OWNER, OPERATOR, "", LIMITS);
    Token session = sessions.open(token.id(), DAY).orElseThrow();
    Token successor = rotation.rotate(OWNER, token.id(), Duration.ofMinutes(1)).token();

    assertThat(credentials.authenticate(token.text()).orElseThrow().grants()).isEqualTo(READING);
    assertThat(credentials.authenticate(successor.text()).orElseThrow().grants())
        .isEqualTo(READING);
    assertThat(credentials.authenticateSession(session.text()).orElseThrow().grants())
        .isEqualTo(READING);
  }

  @Test
  void the_agents_of_a_zoo_client_are_kept_by_a_rotation() {
    AgentId sam = agent("sam");
    var zoo = new Principal.ZooPrincipal(sam, List.of(sam, agent("kim")));
    Token token = credentials.mint(zoo, "");
    Token successor = rotation.rotate(token.id(), Duration.ofMinutes(1)).token();
    Token unlimited = credentials.mint(new Principal.ZooPrincipal(), "");

    assertThat(principal(token)).isEqualTo(zoo);
    assertThat(principal(successor)).isEqualTo(zoo);
    assertThat(principal(unlimited)).isEqualTo(new Principal.ZooPrincipal());
    assertThat(one(token).agents())
        .isEqualTo(Objects.requireNonNull(zoo.agents()).stream().map(AgentId::value).toList());
    assertThat(one(token).defaultAgent()).isEqualTo(sam.value());
    assertThat(one(unlimited).agents()).isNull();
    assertThat(one(unlimited).defaultAgent()).isNull();
  }

  @Test
  void a_caller_with_fewer_rights_cannot_create_revoke_or_rotate_a_token() {
    Token token = credentials.mint(OPERATOR, "");

    requireForbidden(() -> credentials.mint(MEMBER, OPERATOR, "", TokenLimits.NONE));
    requireForbidden(() -> credentials.revoke(MEMBER, token.id()));
    requireForbidden(() -> rotation.rotate(MEMBER, token.id(), Duration.ZERO));

    assertThat(credentials.held(OPERATOR, 10))
        .extracting(Credential::id)
        .containsExactly(token.id());
    assertThat(credentials.authenticate(token.text())).isPresent();
    credentials.revoke(OWNER, token.id());
    assertThat(credentials.authenticate(token.text())).isEmpty();
    assertThat(credentials.held(OPERATOR, 10)).isEmpty();
  }

  @Test
  void an_unknown_token_cannot_be_revoked_or_rotated() {
    CredentialId unknown = CredentialId.random();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> credentials.revoke(OWNER, unknown),
            () -> rotation.rotate(OWNER, unknown, Duration.ZERO))) {
      assertThatExceptionOfType(Fault.class)
          .isThrownBy(call)
          .extracting(Fault::code)
          .isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void a_grace_period_of_one_hour_is_the_longest() {
    Token token = credentials.mint(OPERATOR, "");

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> rotation.rotate(token.id(), TokenRotation.MAX_GRACE.plusMillis(1)));
    assertThat(rotation.rotate(token.id(), TokenRotation.MAX_GRACE).oldUntil())
        .isEqualTo(NOON.plus(TokenRotation.MAX_GRACE));
  }

  @Test
  void every_change_of_a_token_is_an_event() {
    Token token = credentials.mint(OPERATOR, "");
    Token session = sessions.open(token.id(), DAY).orElseThrow();
    Token successor = rotation.rotate(token.id(), Duration.ofMinutes(1)).token();
    Token other = sessions.open(successor.id(), DAY).orElseThrow();
    credentials.revoke(successor.id());
    credentials.revoke(successor.id());

    // On PostgreSQL an event gets its number shortly after the commit.
    Await.until(() -> tokenEvents().size() >= 6);
    assertThat(tokenEvents())
        .extracting(Event::kind, event -> event.payload().path("token").asText())
        .containsExactly(
            tuple("token_minted", token.id().value()),
            tuple("token_minted", session.id().value()),
            tuple("token_rotated", successor.id().value()),
            tuple("token_minted", other.id().value()),
            tuple("token_revoked", successor.id().value()),
            tuple("token_revoked", other.id().value()));
  }

  @Test
  void a_sweep_deletes_only_what_expired_more_than_a_day_ago() {
    credentials.mint(OWNER, OPERATOR, "", new TokenLimits(List.of(), NOON));
    credentials.mint(OWNER, OPERATOR, "", new TokenLimits(List.of(), NOON));
    Token token = credentials.mint(OPERATOR, "");
    var purge = new CredentialPurge(database, () -> now);
    assertThat(purge.sweep()).isZero();

    now = NOON.plus(DAY).plusMillis(1);

    assertThat(purge.sweep()).isEqualTo(2);
    assertThat(credentials.authenticate(token.text())).isPresent();
  }

  private List<Event> tokenEvents() {
    return events.ofKinds(Set.of("token_minted", "token_rotated", "token_revoked"), 0, 100);
  }

  private static void requireForbidden(ThrowingCallable call) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(call)
        .extracting(Fault::code)
        .isEqualTo(ErrorCode.FORBIDDEN);
  }

  private AgentId agent(String name) {
    return agents
        .create(new AgentConfig(name, null, null, null, null, null, null, null, null, null))
        .id();
  }

  private Principal principal(Token token) {
    return credentials.authenticate(token.text()).orElseThrow().principal();
  }

  private Credential one(Token token) {
    return credentials.list("", 100).stream()
        .filter(known -> known.id().equals(token.id()))
        .findFirst()
        .orElseThrow();
  }
}
