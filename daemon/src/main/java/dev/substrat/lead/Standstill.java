package dev.substrat.lead;

import dev.substrat.budget.Budget;
import dev.substrat.budget.BudgetTable;
import dev.substrat.id.AgentId;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Why an agent that has mail gets no turn for now, and when it is tried again, if time alone
/// brings that about.
public record Standstill(String reason, @Nullable Instant nextTryAt) {
  private static final int LONGEST = 300;

  /// Its last turn failed, and what that was about waits for the next one.
  private static final String AFTER_A_FAILURE =
      """
      select run.stop_reason, min(inbox_event.not_before) as due
      from run
        join run_event on run_event.run_id = run.id
        join inbox_event on inbox_event.id = run_event.event_id
      where run.agent_id = ?
        and run.turn_no = (select max(turn_no) from run where agent_id = ?)
        and run.status = 'failed'
        and inbox_event.turn_no is null
      group by run.id, run.stop_reason
      """;

  public static Optional<Standstill> of(Tx tx, AgentId agent) {
    Optional<Standstill> unpaid =
        BudgetTable.findStop(tx, agent).map(Budget::reason).map(why -> new Standstill(why, null));
    return unpaid.isPresent() ? unpaid : afterFailure(tx, agent);
  }

  /// The same, if it is not for want of a budget.
  public static Optional<Standstill> afterFailure(Tx tx, AgentId agent) {
    return tx.find(
        AFTER_A_FAILURE,
        row -> {
          String why = row.textOrNull("stop_reason");
          return new Standstill(
              why == null ? "its last turn failed" : cut(why), row.instant("due"));
        },
        agent.value(),
        agent.value());
  }

  public Optional<Instant> findNextTry() {
    return Optional.ofNullable(nextTryAt);
  }

  private static String cut(String reason) {
    return reason.length() <= LONGEST ? reason : reason.substring(0, LONGEST) + "…";
  }
}
