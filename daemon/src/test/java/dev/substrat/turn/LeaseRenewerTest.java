package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.Event;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.LeaseRenewer;
import dev.substrat.turn.scheduling.Leases;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Leases without a working thread.
@OnEveryDatabase
final class LeaseRenewerTest {
  /// After the team's clock, so that its dispatcher does not claim the events of this test.
  private final Instant later = Instant.now().plus(Duration.ofDays(1));

  private final TestTeam team;
  private final Agent mira;
  private final InboxEvent messages =
      new InboxEvent("mail", InboxEvent.InboxEventKind.NOTICE, null, Json.object(), 0, false);

  LeaseRenewerTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.mira = team.agent("{name: mira, provider: {name: scripted, playbook: []}}");
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
  @Requirement("N1")
  void runs_of_a_dead_daemon_are_closed_even_without_a_retry() {
    RunId run = begin(leases("dead daemon", Duration.ofMillis(1)));
    LeaseRenewer keeper = keeper(leases("this daemon", TestTeam.LEASE));

    team.await(() -> {
      keeper.revokeExpired();
      return team.runs
          .require(new Principal.OperatorPrincipal(), run.value())
          .status()
          .equals("failed");
    });

    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.value()).stopReason())
        .isEqualTo("the daemon stopped during the turn");
    assertThat(team.database.<Long>read(tx -> Inbox.count(tx, mira.id()))).isEqualTo(1);
    team.await(() -> team.count("turn_ended") == 1);
    assertThat(team.events.after(0, new Event.EventFilter(null, null, run.value()), 10)).hasSize(1);
  }

  @Test
  void the_lease_of_a_running_daemon_is_renewed() {
    RunId run = begin(leases("living daemon", TestTeam.LEASE));

    keeper(leases("this daemon", TestTeam.LEASE)).revokeExpired();

    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.value()).status())
        .isEqualTo("running");
  }

  @Test
  void only_leases_without_a_working_thread_are_released() {
    Leases own = leases("this daemon", TestTeam.LEASE);
    RunId run = begin(own);

    keeper(own).releaseIdle(Set.of(mira.id()), "left behind");
    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.value()).status())
        .isEqualTo("running");

    keeper(own).releaseIdle(Set.of(), "left behind");
    assertThat(team.runs.require(new Principal.OperatorPrincipal(), run.value()).stopReason())
        .isEqualTo("left behind");
    assertThat(team.database.<List<Leases.Lease>>read(own::own)).isEmpty();
  }

  private RunId begin(Leases leases) {
    var run = RunId.random();
    team.database.transact(tx -> {
      long turn = leases.acquire(tx, mira.id(), later).orElseThrow();
      var caller = new ToolCaller(mira, run, leases.owner(), turn, 0, null);
      Runs.start(tx, caller, new TurnClaim(null, List.of(messages)), later);
      return true;
    });
    return run;
  }

  private Leases leases(String owner, Duration term) {
    return new Leases(owner, term, team.database.dialect());
  }

  private LeaseRenewer keeper(Leases leases) {
    return new LeaseRenewer(team.database, leases, team.events, team.clock);
  }
}
