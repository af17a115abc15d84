package dev.substrat.access.budget;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ledger of budget use: reserve before a step, settle after it. A reservation is stored with its
/// run and step, so that any daemon can settle it if the turn died.
///
/// Reservations of a step that died are never released: what it may have used counts as used.
public final class BudgetLedger {
  /// Minimum time that a turn needs to be started.
  static final Duration MIN_TURN = Duration.ofSeconds(1);

  private static final String HELD =
      """
      select budget_hold.run_id, step, owner_id, kind, amount, run.started_at
      from budget_hold join run on run.id = budget_hold.run_id
      """;

  private BudgetLedger() {}

  /// Reservation of a sub-agent whose call continues as a pending call: it does not end with the
  /// turn that made the call.
  private static final String GOES_ON =
      """
      exists (
        select 1 from pending_call
        where pending_call.call_id = budget_hold.call_id
          and pending_call.owner = budget_hold.drawer_id
          and pending_call.executor is not null and pending_call.status = 'pending')
      """;

  /// Agent, run and step of a reservation; step 0 is the turn itself. `callId` is the tool call
  /// whose sub-agent takes the step, if it is one.
  public record ReservationContext(AgentId agent, RunId run, int step, @Nullable String callId) {
    public ReservationContext(AgentId agent, RunId run, int step) {
      this(agent, run, step, null);
    }
  }

  /// Starts a turn that draws on `all`: counts the turn and reserves its time. Returns how long it
  /// may take, `wanted` at most. An exhausted budget of any kind prevents it.
  public static Duration openTurn(
      Tx tx, ReservationContext draw, List<Budget> all, Duration wanted) {
    long time =
        all.stream()
            .filter(budget -> budget.kind() == BudgetKind.SECONDS)
            .mapToLong(Budget::left)
            .reduce(wanted.toMillis(), Math::min);
    for (Budget budget : all) {
      switch (budget.kind()) {
        case TURNS -> {
          reserve(tx, budget, 1);
          BudgetTable.settle(tx, budget.owner().value(), BudgetKind.TURNS, 1, 1);
        }
        case SECONDS -> hold(tx, draw, budget, Math.max(time, MIN_TURN.toMillis()));
        case TOKENS, USD -> {
          if (budget.spent() >= budget.cap()) {
            throw new BudgetExceeded(budget, 1);
          }
        }
      }
    }
    return Duration.ofMillis(Math.max(time, MIN_TURN.toMillis()));
  }

  /// Reserves what a step may use, in every budget it draws on or in none.
  public static void openStep(Tx tx, ReservationContext draw, BudgetReservation most) {
    for (Budget budget : BudgetTable.above(tx, draw.agent())) {
      long amount = most.of(budget.kind());
      if (amount > 0) {
        hold(tx, draw, budget, amount);
      }
    }
  }

  private static void hold(Tx tx, ReservationContext draw, Budget budget, long amount) {
    reserve(tx, budget, amount);
    tx.update(
        """
        insert into budget_hold (run_id, step, owner_id, kind, drawer_id, amount, call_id)
        values (?, ?, ?, ?, ?, ?, ?)
        """,
        draw.run().value(),
        draw.step(),
        budget.owner().value(),
        budget.kind(),
        draw.agent().value(),
        amount,
        draw.callId());
  }

  private static void reserve(Tx tx, Budget budget, long amount) {
    if (!BudgetTable.reserve(tx, budget, amount)) {
      // Time may be granted in part; only less than the minimum is too little.
      boolean isTime = budget.kind() == BudgetKind.SECONDS;
      throw new BudgetExceeded(budget, isTime ? MIN_TURN.toMillis() : amount);
    }
  }

  /// Settles a step that has used `used`. A missing kind counts as used as reserved. Returns
  /// whether anything was drawn.
  public static boolean closeStep(Tx tx, ReservationContext draw, BudgetReservation used) {
    // What was already settled is not released a second time.
    List<ReservationRow> held =
        heldFor(tx, draw).stream().filter(hold -> forget(tx, hold)).toList();
    if (held.isEmpty() && used.isNone()) {
      return false;
    }
    for (Budget budget : BudgetTable.above(tx, draw.agent())) {
      long reserved =
          held.stream()
              .filter(hold -> hold.owner().equals(budget.owner().value()))
              .filter(hold -> hold.kind() == budget.kind())
              .mapToLong(ReservationRow::amount)
              .sum();
      long spent = used.of(budget.kind()) == 0 ? reserved : used.of(budget.kind());
      if (spent > 0) {
        BudgetTable.settle(tx, budget.owner().value(), budget.kind(), reserved, spent);
      }
    }
    return true;
  }

  /// Cancels a step: nothing of its reservation was used.
  public static void withdrawStep(Tx tx, ReservationContext draw) {
    heldFor(tx, draw).forEach(hold -> settle(tx, hold, 0));
  }

  private static List<ReservationRow> heldFor(Tx tx, ReservationContext draw) {
    return tx.list(
        HELD + " where budget_hold.run_id = ? and step = ?",
        BudgetLedger::hold,
        draw.run().value(),
        draw.step());
  }

  /// Settles a turn: its time is that of the clock, and an unsettled step has used all that was
  /// reserved. Returns whether anything was drawn.
  public static boolean closeTurn(Tx tx, AgentId agent, Instant now) {
    List<ReservationRow> held = heldBy(tx, agent);
    for (ReservationRow hold : held) {
      settle(tx, hold, hold.kind() == BudgetKind.SECONDS ? hold.age(now) : hold.amount());
    }
    return !held.isEmpty();
  }

  /// Settles an abandoned turn: it has used what it had reserved, but no more time than has passed.
  public static void abandon(Tx tx, AgentId agent, Instant now) {
    for (ReservationRow hold : heldBy(tx, agent)) {
      settle(
          tx,
          hold,
          hold.kind() == BudgetKind.SECONDS
              ? Math.min(hold.amount(), hold.age(now))
              : hold.amount());
    }
  }

  /// Settles a sub-agent of a dead daemon: it has used all that it reserved.
  public static void abandonCall(Tx tx, String callId) {
    tx.list(HELD + " where budget_hold.call_id = ?", BudgetLedger::hold, callId)
        .forEach(hold -> settle(tx, hold, hold.amount()));
  }

  /// Agents that have reservations without a running turn.
  public static List<AgentId> findAbandoned(Tx tx) {
    return tx.list(
        """
        select distinct drawer_id from budget_hold join agent on agent.id = drawer_id
        where (agent.lease_until is null or agent.lease_until <= NOW) and not GOES_ON
        """
            .replace("NOW", tx.dialect().now())
            .replace("GOES_ON", GOES_ON),
        row -> new AgentId(row.text("drawer_id")));
  }

  private static List<ReservationRow> heldBy(Tx tx, AgentId agent) {
    return tx.list(
        HELD + " where drawer_id = ? and not " + GOES_ON + " order by owner_id, kind, step",
        BudgetLedger::hold,
        agent.value());
  }

  private static void settle(Tx tx, ReservationRow hold, long spent) {
    // Another daemon may have settled it already.
    if (forget(tx, hold)) {
      BudgetTable.settle(tx, hold.owner(), hold.kind(), hold.amount(), spent);
    }
  }

  private static boolean forget(Tx tx, ReservationRow hold) {
    return tx.update(
            """
            delete from budget_hold where run_id = ? and step = ? and owner_id = ? and kind = ?
            """,
            hold.run(),
            hold.step(),
            hold.owner(),
            hold.kind())
        == 1;
  }

  private record ReservationRow(
      String run, int step, String owner, BudgetKind kind, long amount, Instant startedAt) {

    long age(Instant now) {
      return Math.max(0, Duration.between(startedAt, now).toMillis());
    }
  }

  private static ReservationRow hold(ResultRow row) {
    return new ReservationRow(
        row.text("run_id"),
        row.integer("step"),
        row.text("owner_id"),
        BudgetKind.parse(row.text("kind")),
        row.number("amount"),
        row.instant("started_at"));
  }
}
