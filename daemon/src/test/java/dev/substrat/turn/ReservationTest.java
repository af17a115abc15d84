package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.access.budget.BudgetExceeded;
import dev.substrat.access.budget.BudgetLedger;
import dev.substrat.access.budget.BudgetLedger.ReservationContext;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.run.TurnSpending;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Reservations are used or released exactly once, with crashes and concurrent turns.
@OnEveryDatabase
@Requirement("N6")
final class ReservationTest {
  private static final String NO_RULES = "provider: {name: scripted, playbook: []}";
  private static final long CAP = 1_000;

  private final TestTeam team;
  private final Agent lead;

  ReservationTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.lead =
        team.agent(
            "{name: lead, limits: {budgetTokens: 1000, budgetSeconds: 100}, %s}"
                .formatted(NO_RULES));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void the_unused_part_of_a_reservation_is_released() {
    ToolCaller caller = working(lead);
    spending().openStep(caller, 1, new BudgetReservation(800, 0));
    assertThat(tokens(lead)).extracting(Budget::reserved, Budget::left).containsExactly(800L, 200L);

    settle(caller, 1, new ModelUsage(100, 50, 0));

    assertThat(tokens(lead)).extracting(Budget::spent, Budget::reserved).containsExactly(150L, 0L);
  }

  @Test
  void a_step_without_reported_usage_uses_its_whole_reservation() {
    ToolCaller caller = working(lead);
    spending().openStep(caller, 1, new BudgetReservation(300, 0));
    settle(caller, 1, ModelUsage.NONE);
    spending().openStep(caller, 2, new BudgetReservation(300, 0));

    team.database.transact(tx -> {
      spending().closeTurn(tx, lead.id());
      return true;
    });

    assertThat(tokens(lead)).extracting(Budget::spent, Budget::reserved).containsExactly(600L, 0L);
  }

  @Test
  void a_reservation_of_a_dead_daemon_counts_as_used_and_its_turn_cannot_write() {
    ToolCaller dead = working(lead);
    team.database.transact(tx -> spending().openTurn(tx, dead));
    spending().openStep(dead, 1, new BudgetReservation(700, 0));
    team.clock.pass(Duration.ofSeconds(7));

    assertThat(spending().settleLeftBehind()).isZero();

    // Its daemon no longer renews the lease.
    lease(lead, "this daemon", dead.turn(), -1);
    assertThat(spending().settleLeftBehind()).isEqualTo(1);
    assertThat(spending().settleLeftBehind()).isZero();

    assertThat(tokens(lead)).extracting(Budget::spent, Budget::reserved).containsExactly(700L, 0L);
    assertThat(budgets(lead).getFirst())
        .extracting(Budget::spent, Budget::reserved)
        .containsExactly(7_000L, 0L);
    assertThatThrownBy(() -> spending().openStep(dead, 2, new BudgetReservation(1, 0)))
        .isInstanceOf(StaleTurn.class);
    assertThatThrownBy(() -> settle(dead, 1, new ModelUsage(1, 1, 0)))
        .isInstanceOf(StaleTurn.class);
    assertThat(tokens(lead)).extracting(Budget::spent, Budget::reserved).containsExactly(700L, 0L);
  }

  @Test
  @Requirement("N1")
  void the_turn_of_a_dead_daemon_has_ended_when_its_reservation_is_settled() {
    ToolCaller dead = working(lead);
    spending().openStep(dead, 1, new BudgetReservation(1_000, 0));
    lease(lead, "this daemon", dead.turn(), -1);

    spending().settleLeftBehind();

    assertThat(team.runs.require(new Principal.OperatorPrincipal(), dead.run().value()))
        .extracting(Run::status, Run::stopReason)
        .containsExactly("failed", "the daemon stopped during the turn");
    team.await(() -> team.count("turn_ended") == 1);
  }

  @Test
  void removing_and_setting_a_budget_does_not_reset_its_use() {
    ToolCaller caller = working(lead);
    spending().openStep(caller, 1, new BudgetReservation(800, 0));
    var budget = new BudgetCaps(null, CAP, null, null);
    team.database.transact(tx -> {
      BudgetTable.replace(tx, lead.id(), budget, BudgetCaps.NONE);
      BudgetTable.set(tx, lead.id(), budget);
      return true;
    });

    settle(caller, 1, new ModelUsage(100, 0, 0));

    assertThat(tokens(lead)).extracting(Budget::spent, Budget::left).containsExactly(100L, 900L);
  }

  @Test
  void taking_over_a_turn_settles_the_reservation_of_the_dead_one() {
    ToolCaller dead = working(lead);
    spending().openStep(dead, 1, new BudgetReservation(700, 0));

    team.database.transact(tx -> {
      Runs.close(tx, team.events, lead.id(), "gone", team.clock.instant());
      return true;
    });

    assertThat(tokens(lead)).extracting(Budget::spent, Budget::reserved).containsExactly(700L, 0L);
    assertThat(held()).isZero();
  }

  @Test
  void a_budget_reserved_by_others_delays_a_turn_and_does_not_fail_it() {
    Agent ada = team.agent("{name: ada, parent: lead, %s}".formatted(NO_RULES));
    Agent ben = team.agent("{name: ben, parent: lead, %s}".formatted(NO_RULES));
    ToolCaller first = working(ada);
    ToolCaller second = working(ben);
    spending().openStep(first, 1, new BudgetReservation(800, 0));

    assertThatThrownBy(() -> spending().openStep(second, 1, new BudgetReservation(300, 0)))
        .hasMessageContaining("running turns have reserved the rest of lead's tokens");
    assertThat(tokens(lead).isExhausted()).isFalse();

    settle(first, 1, new ModelUsage(10, 0, 0));
    spending().openStep(second, 1, new BudgetReservation(300, 0));
    assertThat(tokens(ben)).extracting(Budget::spent, Budget::reserved).containsExactly(10L, 300L);
  }

  @Test
  void concurrent_reservations_never_exceed_the_budget() throws Exception {
    // On PostgreSQL as two daemons would.
    List<Database> daemons = List.of(team.database, team.another());
    var workers = new ArrayList<Future<Long>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        Agent child = team.agent("{name: child %d, parent: lead, %s}".formatted(i, NO_RULES));
        ToolCaller caller = working(child);
        workers.add(threads.submit(spender(daemons.get(i % 2), caller, new Random(i))));
      }
      long used = 0;
      for (var worker : workers) {
        used += worker.get();
      }
      assertThat(tokens(lead))
          .extracting(Budget::spent, Budget::reserved)
          .containsExactly(used, 0L);
      assertThat(used).isPositive().isLessThanOrEqualTo(CAP);
      assertThat(held()).isZero();
    }
  }

  /// Reserves and uses at random until nothing fits any more; returns the used amount.
  private Callable<Long> spender(Database database, ToolCaller caller, Random random) {
    AgentId agent = caller.agent().id();
    return () -> {
      long used = 0;
      int refusals = 0;
      for (int step = 1; refusals < 5; step++) {
        var draw = new ReservationContext(agent, caller.run(), step);
        int most = 1 + random.nextInt(60);
        int really = 1 + random.nextInt(most);
        try {
          database.transact(tx -> {
            BudgetLedger.openStep(tx, draw, new BudgetReservation(most, 0));
            return true;
          });
        } catch (BudgetExceeded e) {
          refusals++;
          continue;
        }
        assertThat(database.<Budget>read(tx -> BudgetTable.above(tx, agent).getLast()))
            .satisfies(
                seen -> assertThat(seen.spent() + seen.reserved()).isLessThanOrEqualTo(seen.cap()));
        database.transact(tx -> BudgetLedger.closeStep(tx, draw, new BudgetReservation(really, 0)));
        used += really;
      }
      return used;
    };
  }

  /// A turn of an agent that is under way.
  private ToolCaller working(Agent agent) {
    lease(agent, "this daemon", 1, 60_000);
    var caller = new ToolCaller(agent, RunId.random(), "this daemon", 1, 0, null);
    team.database.transact(tx -> {
      Runs.start(tx, caller, TurnClaim.NOTHING, team.clock.instant());
      return true;
    });
    return caller;
  }

  private void lease(Agent agent, String owner, long turn, long millis) {
    team.database.transact(tx ->
        tx.update(
            "update agent set lease_owner = ?, turn_no = ?, lease_until = "
                + tx.dialect().now()
                + " + ? where id = ?",
            owner,
            turn,
            millis,
            agent.id().value()));
  }

  private void settle(ToolCaller caller, int step, ModelUsage usage) {
    team.database.transact(tx -> {
      TurnFence.require(tx, caller);
      spending().closeStep(tx, caller, step, usage);
      return true;
    });
  }

  private TurnSpending spending() {
    return team.engine.spending();
  }

  private List<Budget> budgets(Agent agent) {
    return team.engine.budgets().of(agent.id());
  }

  private Budget tokens(Agent agent) {
    return budgets(agent).getLast();
  }

  private long held() {
    return team.database.read(tx -> tx.number("select count(*) as n from budget_hold"));
  }
}
