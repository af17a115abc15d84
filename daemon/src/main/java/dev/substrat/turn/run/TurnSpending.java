package dev.substrat.turn.run;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetExceeded;
import dev.substrat.access.budget.BudgetLedger;
import dev.substrat.access.budget.BudgetLedger.ReservationContext;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.message.BudgetNotices;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.turn.scheduling.Leases;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Reserves the cost of steps in the budgets of an agent and its ancestors before use, and settles
/// it after. If the reservation fails, the step does not start.
///
/// A refusal rolls back its transaction; the exhausted budget is then recorded in a transaction of
/// its own, which notifies the agents concerned once.
public final class TurnSpending {
  /// Pause until a running turn may have released an unused reservation.
  static final Duration PAUSE = Duration.ofSeconds(2);

  private final Database database;
  private final BudgetNotices notices;
  private final EventLog events;
  private final InstantSource clock;

  public TurnSpending(
      Database database, BudgetNotices notices, EventLog events, InstantSource clock) {
    this.database = database;
    this.notices = notices;
    this.events = events;
    this.clock = clock;
  }

  /// Counts the turn, in the transaction that starts it. Returns its time limit.
  public Duration openTurn(Tx tx, ToolCaller caller) {
    AgentId agent = caller.agent().id();
    Duration wanted = caller.agent().config().limitsOrDefault().turn();
    List<Budget> drawn = BudgetTable.above(tx, agent);
    if (drawn.isEmpty()) {
      return wanted;
    }
    Duration granted =
        BudgetLedger.openTurn(tx, new ReservationContext(agent, caller.run(), 0), drawn, wanted);
    warn(tx, agent);
    return granted;
  }

  /// No turn could be started. If the budget is exhausted for good, the agents concerned get a
  /// notice; otherwise the agent's events are postponed.
  public void noTurn(AgentId agent, BudgetExceeded refusal) {
    database.transact(tx -> {
      exhaust(tx, refusal.budget(), refusal.wanted());
      if (BudgetTable.findStop(tx, agent).isEmpty()) {
        Inbox.postpone(tx, agent, clock.instant(), PAUSE);
      }
      return true;
    });
  }

  /// Reserves what a step of the turn may use, or refuses it.
  public void openStep(ToolCaller caller, int step, BudgetReservation most) {
    openStep(caller, new ReservationContext(caller.agent().id(), caller.run(), step), most);
  }

  /// The same for a step of the sub-agent that `call` runs, during its caller's turn or after it.
  public void openStep(ToolCall call, int step, BudgetReservation most) {
    openStep(call.caller(), draw(call, step), most);
  }

  private static ReservationContext draw(ToolCall call, int step) {
    ToolCaller caller = call.caller();
    return new ReservationContext(caller.agent().id(), caller.run(), step, call.id());
  }

  private void openStep(ToolCaller caller, ReservationContext draw, BudgetReservation most) {
    if (most.isNone()) {
      return;
    }
    AgentId agent = caller.agent().id();
    if (database.read(tx -> BudgetTable.above(tx, agent)).isEmpty()) {
      // Agents without a budget skip this cost.
      return;
    }
    try {
      database.transact(tx -> {
        requireCurrent(tx, caller, draw);
        BudgetLedger.openStep(tx, draw, most);
        return true;
      });
    } catch (BudgetExceeded refusal) {
      throw refused(agent, refusal);
    }
  }

  private Fault refused(AgentId agent, BudgetExceeded refusal) {
    Optional<Budget> stop =
        database.transact(tx -> {
          exhaust(tx, refusal.budget(), refusal.wanted());
          return BudgetTable.findStop(tx, agent);
        });
    Budget budget = stop.orElse(refusal.budget());
    var kind = budget.kind();
    String why =
        stop.isPresent()
            ? "%s (%s), and this step may need %s"
                .formatted(budget.state(), kind.key(), kind.value(refusal.wanted()))
            : "running turns have reserved the rest of " + budget.handle() + "'s " + kind;
    return ErrorCode.BUDGET_EXHAUSTED.fault(
        why, "end the turn; the events of this turn are processed in another turn");
  }

  /// A pending call continues after its turn while it is open. The turn is checked first: it ends
  /// after its call became pending, so the call is found even if the turn ends in between.
  private static void requireCurrent(Tx tx, ToolCaller caller, ReservationContext draw) {
    try {
      TurnFence.require(tx, caller);
    } catch (StaleTurn e) {
      if (draw.callId() == null
          || !CallLeases.isExecuted(tx, draw.agent().value(), draw.callId())) {
        throw e;
      }
    }
  }

  /// Releases the reservation of a step.
  public void withdrawStep(ToolCaller caller, int step) {
    withdrawStep(caller, new ReservationContext(caller.agent().id(), caller.run(), step));
  }

  /// The same for a step of a sub-agent.
  public void withdrawStep(ToolCall call, int step) {
    withdrawStep(call.caller(), draw(call, step));
  }

  private void withdrawStep(ToolCaller caller, ReservationContext draw) {
    database.transact(tx -> {
      requireCurrent(tx, caller, draw);
      BudgetLedger.withdrawStep(tx, draw);
      return true;
    });
  }

  /// Records the usage of a step, in the transaction of its record.
  public void closeStep(Tx tx, ToolCaller caller, int step, ModelUsage usage) {
    AgentId agent = caller.agent().id();
    var used = new BudgetReservation(usage.tokens(), usage.costMicros());
    if (BudgetLedger.closeStep(tx, new ReservationContext(agent, caller.run(), step), used)) {
      warn(tx, agent);
    }
  }

  /// Settles the turn, in the transaction that ends it.
  public void closeTurn(Tx tx, AgentId agent) {
    if (BudgetLedger.closeTurn(tx, agent, clock.instant())) {
      warn(tx, agent);
    }
  }

  /// How long an event of a refused turn waits: until a budget is raised, which signals, or a
  /// moment.
  public Duration pause(Tx tx, AgentId agent) {
    BudgetTable.above(tx, agent).forEach(budget -> exhaust(tx, budget, 1));
    return BudgetTable.findStop(tx, agent).isPresent() ? Duration.ZERO : PAUSE;
  }

  private void exhaust(Tx tx, Budget seen, long wanted) {
    if (BudgetTable.exhaust(tx, seen, wanted, clock.instant())) {
      BudgetTable.above(tx, seen.owner()).stream()
          .filter(budget -> budget.owner().equals(seen.owner()) && budget.kind() == seen.kind())
          .forEach(budget -> notices.exhausted(tx, budget));
    }
  }

  private void warn(Tx tx, AgentId agent) {
    for (Budget budget : BudgetTable.above(tx, agent)) {
      if (BudgetTable.warn(tx, budget, clock.instant())) {
        notices.low(tx, budget);
      }
    }
  }

  /// Settles the reservations of turns whose daemon is gone, and closes their runs. Returns the
  /// number of agents.
  public int settleLeftBehind() {
    if (database.read(BudgetLedger::findAbandoned).isEmpty()) {
      return 0;
    }
    return database.transact(tx -> {
      // A turn that continues later cannot write or settle any more.
      List<AgentId> left =
          BudgetLedger.findAbandoned(tx).stream()
              .filter(agent -> Leases.revokeExpired(tx, agent))
              .toList();
      left.forEach(agent -> Runs.close(tx, events, agent, Runs.ORPHANED, clock.instant()));
      return left.size();
    });
  }
}
