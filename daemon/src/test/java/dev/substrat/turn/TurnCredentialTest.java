package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.access.credential.CredentialPurge;
import dev.substrat.access.credential.Credentials;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.Leases;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Validity of a turn token depends on the lease in the database.
@OnEveryDatabase
@Requirement({"A11", "N7"})
final class TurnCredentialTest {
  /// After the team's clock, so that its dispatcher does not claim the events of this test.
  private final Instant later = Instant.now().plus(Duration.ofDays(1));

  private final InboxEvent messages =
      new InboxEvent("later", InboxEvent.InboxEventKind.NOTICE, null, Json.object(), 0, false);
  private final TestTeam team;
  private final Agent mira;
  private final Leases leases;
  private final Credentials credentials;

  TurnCredentialTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.mira = team.agent("{name: mira, provider: {name: scripted, playbook: []}}");
    this.leases = new Leases("this daemon", TestTeam.LEASE, place.dialect());
    this.credentials = team.engine.credentials();
    team.database.transact(tx -> {
      Inbox.put(tx, mira.id(), messages, false);
      return tx.update("update inbox_event set not_before = ?", later);
    });
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_turn_token_authenticates_its_turn_and_is_created_once() {
    LiveTurn turn = begin();

    assertThat(credentials.authenticate(turn.credential().text()).map(CallerPermissions::principal))
        .contains(new Principal.TurnPrincipal(mira.id(), turn.caller().run()));
    assertThat(turn.credential()).isEqualTo(turn.credential());
  }

  @Test
  void a_turn_token_is_rejected_after_the_lease_is_released() {
    LiveTurn turn = begin();
    String token = turn.credential().text();

    giveBack(turn);

    assertThat(credentials.authenticate(token)).isEmpty();
  }

  @Test
  void a_turn_token_is_rejected_after_the_run_ended() {
    LiveTurn turn = begin();
    String token = turn.credential().text();

    end(turn);

    assertThat(credentials.authenticate(token)).isEmpty();
  }

  /// The next turn has the same agent and the same daemon, and another number.
  @Test
  void a_turn_token_is_rejected_in_the_next_turn() {
    LiveTurn first = begin();
    String old = first.credential().text();
    giveBack(first);
    LiveTurn next = begin();

    assertThat(credentials.authenticate(old)).isEmpty();
    assertThat(credentials.authenticate(next.credential().text())).isPresent();
  }

  @Test
  void a_turn_that_lost_its_lease_gets_no_token() {
    LiveTurn turn = begin();
    giveBack(turn);

    assertThatThrownBy(turn::credential).isInstanceOf(StaleTurn.class);
    assertThat(rows()).isZero();
  }

  @Test
  void tokens_of_ended_turns_are_deleted() {
    var purge = new CredentialPurge(team.database, team.clock);
    LiveTurn turn = begin();
    String token = turn.credential().text();
    assertThat(purge.sweep()).isZero();
    assertThat(credentials.authenticate(token)).isPresent();

    end(turn);

    assertThat(purge.sweep()).isEqualTo(1);
    assertThat(rows()).isZero();
    assertThat(purge.sweep()).isZero();
  }

  private LiveTurn begin() {
    var claim =
        team.database.transact(tx -> {
          long number = leases.acquire(tx, mira.id(), later).orElseThrow();
          var caller = new ToolCaller(mira, RunId.random(), leases.owner(), number, 0, null);
          Runs.start(tx, caller, new TurnClaim(null, List.of(messages)), later);
          return new LiveTurn.LiveTurnParameters(
              caller, List.of(messages), Duration.ofMinutes(1), null);
        });
    return new LiveTurn(team.database, team.engine.turnParts(), claim);
  }

  private void giveBack(LiveTurn turn) {
    team.database.transact(
        tx -> leases.release(tx, new Leases.Lease(mira.id(), turn.caller().turn())));
  }

  private void end(LiveTurn turn) {
    team.database.transact(tx -> {
      Runs.end(tx, turn.caller(), "done", null, "", later);
      return true;
    });
  }

  private long rows() {
    AgentId id = mira.id();
    return team.database.read(
        tx -> tx.number("select count(*) as n from credential where principal = ?", id.value()));
  }
}
