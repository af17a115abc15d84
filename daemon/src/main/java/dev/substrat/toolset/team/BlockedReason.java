package dev.substrat.toolset.team;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reason why an agent with unread messages gets no turn, and the time of the next attempt, if
/// there is one.
///
/// `attempts` is how often the waiting work has failed; 0 if it was not tried.
public record BlockedReason(String reason, @Nullable Instant nextTryAt, int attempts) {
  private static final int MAX_LENGTH = 300;

  /// Events that wait, whose last turn failed. Those of the turn that failed last come first.
  private static final String AFTER_A_FAILURE =
      """
      select inbox_event.id, inbox_event.not_before, run.stop_reason
      from inbox_event
        join run_event on run_event.event_id = inbox_event.id
        join run on run.id = run_event.run_id
      where inbox_event.agent_id = ? and inbox_event.turn_no is null and inbox_event.held = 0
        and run.status = 'failed' and run.turn_no > inbox_event.since_turn
        and run.turn_no = (
          select max(latest.turn_no) from run_event given join run latest on latest.id = given.run_id
          where given.event_id = inbox_event.id
        )
      """;

  private static final String NEWEST_FIRST =
      " order by run.turn_no desc, inbox_event.not_before limit 1";

  public static Optional<BlockedReason> of(Tx tx, AgentId agent) {
    Optional<BlockedReason> unpaid =
        BudgetTable.findStop(tx, agent)
            .map(Budget::reason)
            .map(why -> new BlockedReason(why, null, 0));
    return unpaid.isPresent() ? unpaid : afterFailure(tx, agent);
  }

  /// The same, if it is not for want of a budget.
  public static Optional<BlockedReason> afterFailure(Tx tx, AgentId agent) {
    return tx.find(AFTER_A_FAILURE + NEWEST_FIRST, row -> afterFailure(tx, row), agent.value());
  }

  /// The same for one message to the agent.
  public static Optional<BlockedReason> afterFailure(Tx tx, AgentId agent, MessageId message) {
    return tx.find(
        AFTER_A_FAILURE + " and inbox_event.id = ?" + NEWEST_FIRST,
        row -> afterFailure(tx, row),
        agent.value(),
        message.value());
  }

  private static BlockedReason afterFailure(Tx tx, ResultRow row) {
    String why = row.textOrNull("stop_reason");
    return new BlockedReason(
        why == null ? "its last turn failed" : cut(why),
        row.instant("not_before"),
        failures(tx, row.text("id")));
  }

  /// Number of failed turns with this event since a person last retried it.
  private static int failures(Tx tx, String event) {
    return (int)
        tx.number(
            """
            select count(*) as n
            from inbox_event
              join run_event on run_event.event_id = inbox_event.id
              join run on run.id = run_event.run_id
            where inbox_event.id = ? and run.status = 'failed'
              and run.turn_no > inbox_event.since_turn
            """,
            event);
  }

  public Optional<Instant> findNextTry() {
    return Optional.ofNullable(nextTryAt);
  }

  private static String cut(String reason) {
    return reason.length() <= MAX_LENGTH ? reason : reason.substring(0, MAX_LENGTH) + "…";
  }
}
