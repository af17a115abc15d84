package dev.substrat.access.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEveryDatabase
@Requirement("N7")
final class TokenRotationTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Principal OPERATOR = new Principal.OperatorPrincipal();

  private final Database database;
  private final EventLog events;
  private final Credentials credentials;
  private final TokenRotation rotation;
  private final BrowserSessions sessions;
  private Instant now = NOON;

  TokenRotationTest(TestDatabase place) {
    this.database = place.open();
    this.events = new EventLog(database, () -> now);
    this.credentials = new Credentials(database, events, () -> now);
    this.rotation = new TokenRotation(database, events, () -> now);
    this.sessions = new BrowserSessions(database, events, () -> now);
  }

  @AfterEach
  void close() {
    events.close();
    database.close();
  }

  @Test
  void without_grace_the_old_token_is_revoked_immediately() {
    var ada = new Principal.AgentPrincipal(AgentId.random());
    Token old = credentials.mint(ada, "laptop");

    Token fresh = rotation.rotate(old.id(), Duration.ZERO).token();

    assertThat(credentials.authenticate(old.text())).isEmpty();
    assertThat(credentials.authenticate(fresh.text()).map(CallerPermissions::principal))
        .contains(ada);
  }

  @Test
  void with_a_grace_period_the_old_token_works_until_its_end() {
    Token old = credentials.mint(OPERATOR, "");

    var rotated = rotation.rotate(old.id(), Duration.ofSeconds(60));

    assertThat(rotated.oldUntil()).isEqualTo(NOON.plusSeconds(60));
    now = NOON.plusSeconds(59);
    assertThat(credentials.authenticate(old.text())).isPresent();
    now = NOON.plusSeconds(60);
    assertThat(credentials.authenticate(old.text())).isEmpty();
    assertThat(credentials.authenticate(rotated.token().text())).isPresent();
  }

  /// Otherwise a leaked old token would stay valid.
  @Test
  void a_replaced_token_cannot_be_replaced_again() {
    Token old = credentials.mint(OPERATOR, "");
    rotation.rotate(old.id(), Duration.ofMinutes(5));

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> rotation.rotate(old.id(), Duration.ZERO))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.CONFLICT));
  }

  @Test
  void exactly_one_of_many_concurrent_rotations_succeeds() throws InterruptedException {
    Token old = credentials.mint(OPERATOR, "");
    Callable<Token> rotate = () -> rotation.rotate(old.id(), Duration.ZERO).token();
    var fresh = new ArrayList<Token>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var outcome : threads.invokeAll(Collections.nCopies(8, rotate))) {
        try {
          fresh.add(outcome.get());
        } catch (ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(Fault.class);
        }
      }
    }
    assertThat(fresh).hasSize(1);
    assertThat(credentials.list("", 200)).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void a_grace_period_does_not_extend_the_expiry_and_the_successor_keeps_it() {
    Token old = session(Duration.ofSeconds(30));

    var rotated = rotation.rotate(old.id(), Duration.ofSeconds(60));

    assertThat(rotated.oldUntil()).isEqualTo(NOON.plusSeconds(30));
    now = NOON.plusSeconds(30);
    assertThat(credentials.authenticate(rotated.token().text())).isEmpty();
  }

  @Test
  void the_token_list_shows_rotation_time_and_successor() {
    Token old = credentials.mint(OPERATOR, "cron");
    now = NOON.plusSeconds(10);
    Token fresh = rotation.rotate(old.id(), Duration.ofSeconds(60)).token();

    assertThat(one(old).replacedBy()).isEqualTo(fresh.id());
    assertThat(one(old).expiresAt()).isEqualTo(NOON.plusSeconds(70));
    assertThat(one(fresh).rotatedAt()).isEqualTo(NOON.plusSeconds(10));
    assertThat(one(fresh).createdAt()).isEqualTo(NOON);
    assertThat(one(fresh).label()).isEqualTo("cron");
  }

  @Test
  void a_revoked_expired_or_unknown_token_cannot_be_rotated() {
    Token revoked = credentials.mint(OPERATOR, "");
    credentials.revoke(revoked.id());
    Token expired = session(Duration.ZERO);

    assertThat(code(revoked.id(), Duration.ZERO)).isEqualTo(ErrorCode.CONFLICT);
    assertThat(code(expired.id(), Duration.ZERO)).isEqualTo(ErrorCode.CONFLICT);
    assertThat(code(CredentialId.random(), Duration.ZERO)).isEqualTo(ErrorCode.NOT_FOUND);
    Token token = credentials.mint(OPERATOR, "");
    assertThat(code(token.id(), Duration.ofSeconds(3601))).isEqualTo(ErrorCode.INVALID_ARGUMENTS);
    assertThat(code(token.id(), Duration.ofSeconds(-1))).isEqualTo(ErrorCode.INVALID_ARGUMENTS);
  }

  @Test
  void expired_sessions_are_forgotten_after_a_day() {
    Token session = session(Duration.ofDays(7));
    var purge = new CredentialPurge(database, () -> now);

    now = NOON.plus(Duration.ofDays(8));
    purge.sweep();
    assertThat(credentials.list("", 200)).extracting(Credential::id).contains(session.id());
    now = now.plusMillis(1);
    purge.sweep();
    assertThat(credentials.list("", 200)).extracting(Credential::id).doesNotContain(session.id());
  }

  @Test
  void a_session_ends_with_the_token_it_was_opened_with() {
    Token token = credentials.mint(OPERATOR, "");
    Token other = credentials.mint(OPERATOR, "");
    Token session = sessions.open(token.id(), WEEK).orElseThrow();
    Token opened = sessions.open(session.id(), WEEK).orElseThrow();
    Token otherSession = sessions.open(other.id(), WEEK).orElseThrow();
    assertThat(credentials.authenticateSession(opened.text()).map(CallerPermissions::principal))
        .contains(OPERATOR);

    credentials.revoke(token.id());

    assertThat(credentials.authenticateSession(session.text())).isEmpty();
    assertThat(credentials.authenticateSession(opened.text()))
        .as("by a link of the session")
        .isEmpty();
    assertThat(credentials.authenticateSession(otherSession.text())).isPresent();
    assertThat(sessions.open(token.id(), WEEK)).isEmpty();
    assertThat(one(session).revokedAt()).isEqualTo(NOON);
  }

  @Test
  void an_ended_session_cannot_open_another() {
    Token token = credentials.mint(OPERATOR, "");
    Token revoked = sessions.open(token.id(), WEEK).orElseThrow();
    Token brief = sessions.open(token.id(), Duration.ofSeconds(30)).orElseThrow();

    credentials.revoke(revoked.id());
    now = NOON.plusSeconds(30);

    assertThat(sessions.open(revoked.id(), WEEK)).isEmpty();
    assertThat(sessions.open(brief.id(), WEEK)).isEmpty();
    assertThat(sessions.open(token.id(), WEEK)).as("its token is as good as ever").isPresent();
  }

  @Test
  void a_session_ends_when_its_token_is_rotated_out() {
    Token token = credentials.mint(OPERATOR, "");
    Token session = sessions.open(token.id(), WEEK).orElseThrow();
    Token heir = rotation.rotate(token.id(), Duration.ofSeconds(60)).token();
    Token late = sessions.open(token.id(), WEEK).orElseThrow();
    Token fresh = sessions.open(heir.id(), WEEK).orElseThrow();
    assertThat(credentials.authenticateSession(session.text()))
        .as("as long as its token")
        .isPresent();

    now = NOON.plusSeconds(60);

    assertThat(credentials.authenticateSession(session.text())).isEmpty();
    assertThat(credentials.authenticateSession(late.text())).isEmpty();
    assertThat(credentials.authenticateSession(fresh.text())).isPresent();
    rotation.rotate(heir.id(), Duration.ZERO);
    assertThat(credentials.authenticateSession(fresh.text())).isEmpty();
  }

  private Token session(Duration validity) {
    return sessions.open(credentials.mint(OPERATOR, "").id(), validity).orElseThrow();
  }

  private ErrorCode code(CredentialId id, Duration grace) {
    try {
      rotation.rotate(id, grace);
      throw new AssertionError("it was rotated");
    } catch (Fault fault) {
      return fault.code();
    }
  }

  private Credential one(Token token) {
    return credentials.list("", 200).stream()
        .filter(known -> known.id().equals(token.id()))
        .findFirst()
        .orElseThrow();
  }
}
