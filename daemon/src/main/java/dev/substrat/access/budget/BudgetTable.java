package dev.substrat.access.budget;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rows of budgets. They are always locked in the same order, so that concurrent reservations
/// cannot deadlock.
public final class BudgetTable {
  /// SQL condition on a row `agent`: no budget of the agent or of an agent above it is exhausted.
  /// If no budget is exhausted at all, this is checked once for all rows.
  public static final String HAS_BUDGET =
      """
      (not exists (select 1 from budget where exhausted_at is not null)
        or not exists (
          with recursive above (id, parent_id) as (
            select agent.id, agent.parent_id
            union all
            select higher.id, higher.parent_id
            from agent higher join above on higher.id = above.parent_id
          )
          select 1 from above join budget on budget.agent_id = above.id
          where budget.exhausted_at is not null
        ))
      """;

  private static final String ABOVE =
      """
      with recursive above (id, parent_id, handle) as (
        select id, parent_id, handle from agent where id = ?
        union all
        select agent.id, agent.parent_id, agent.handle
        from agent join above on agent.id = above.parent_id
      )
      select agent_id, handle, kind, cap, spent, reserved, exhausted_at
      from above join budget on budget.agent_id = above.id
      order by agent_id, kind
      """;

  private static final String STOPPED =
      """
      with recursive below (id, owner) as (
        select agent_id, agent_id from budget where exhausted_at is not null
        union
        select agent.id, below.owner from agent join below on agent.parent_id = below.id
      )
      select below.id as stopped, agent_id, handle, kind, cap, spent, reserved, exhausted_at
      from below
        join budget on budget.agent_id = below.owner and exhausted_at is not null
        join agent on agent.id = budget.agent_id
      order by agent_id, kind
      """;

  private BudgetTable() {}

  /// Budgets of all agents that are not terminated, the most used first.
  public static List<Budget> tightest(Tx tx, int limit) {
    return tx.list(
        """
        select agent_id, handle, kind, cap, spent, reserved, exhausted_at
        from budget join agent on agent.id = budget.agent_id
        where agent.terminated_at is null
        order by case when exhausted_at is null then 1 else 0 end, 1.0 * spent / cap desc,
          handle, kind
        limit ?
        """,
        BudgetTable::budget,
        limit);
  }

  /// Budgets that `agent` draws on: its own and those of all agents above it.
  public static List<Budget> above(Tx tx, AgentId agent) {
    return tx.list(ABOVE, BudgetTable::budget, agent.value());
  }

  /// The budget that stops `agent`, if any.
  public static Optional<Budget> findStop(Tx tx, AgentId agent) {
    boolean isAny =
        !tx.list("select 1 from budget where exhausted_at is not null limit 1", _ -> true)
            .isEmpty();
    return isAny
        ? above(tx, agent).stream().filter(Budget::isExhausted).findFirst()
        : Optional.empty();
  }

  /// All agents that are stopped by a budget, with that budget; by the agent's id.
  public static Map<String, Budget> stops(Tx tx) {
    var stops = new HashMap<String, Budget>();
    tx.list(STOPPED, row -> Map.entry(row.text("stopped"), budget(row)))
        .forEach(one -> stops.putIfAbsent(one.getKey(), one.getValue()));
    return stops;
  }

  /// Creates or changes budgets of an agent; the used amount stays.
  public static void set(Tx tx, AgentId agent, BudgetCaps caps) {
    caps.amounts()
        .forEach((kind, cap) ->
            tx.update(
                """
                insert into budget (agent_id, kind, cap) values (?, ?, ?)
                on conflict (agent_id, kind) do update set cap = excluded.cap,
                  exhausted_at = case when budget.spent < excluded.cap then null
                    else budget.exhausted_at end,
                  warned_at = case when budget.spent * 5 < excluded.cap * 4 then null
                    else budget.warned_at end
                """,
                agent.value(),
                kind,
                cap));
  }

  /// Removes budgets that are no longer declared.
  public static void replace(Tx tx, AgentId agent, BudgetCaps before, BudgetCaps after) {
    for (BudgetKind kind : before.amounts().keySet()) {
      if (!after.amounts().containsKey(kind)) {
        tx.update("delete from budget where agent_id = ? and kind = ?", agent.value(), kind);
        // Otherwise its reservations would be credited to the next budget of this kind.
        tx.update("delete from budget_hold where owner_id = ? and kind = ?", agent.value(), kind);
      }
    }
    set(tx, agent, after);
  }

  /// Marks a budget as exhausted: the agents that draw on it get no turns. False if it was already,
  /// or if `wanted` would fit once the running turns have settled.
  public static boolean exhaust(Tx tx, Budget budget, long wanted, Instant now) {
    return tx.update(
            """
            update budget set exhausted_at = ?
            where agent_id = ? and kind = ? and exhausted_at is null and spent + ? > cap
            """,
            now,
            budget.owner().value(),
            budget.kind(),
            wanted)
        == 1;
  }

  /// True once when 80 % are used, until the budget is raised.
  public static boolean warn(Tx tx, Budget budget, Instant now) {
    return budget.spent() * 5 >= budget.cap() * 4
        && tx.update(
                """
                update budget set warned_at = ?
                where agent_id = ? and kind = ? and warned_at is null
                """,
                now,
                budget.owner().value(),
                budget.kind())
            == 1;
  }

  /// Reserves the amount; false if it does not fit.
  static boolean reserve(Tx tx, Budget budget, long amount) {
    return tx.update(
            """
            update budget set reserved = reserved + ?
            where agent_id = ? and kind = ? and spent + reserved + ? <= cap
            """,
            amount,
            budget.owner().value(),
            budget.kind(),
            amount)
        == 1;
  }

  /// Releases `reserved`, of which `spent` was used.
  static void settle(Tx tx, String owner, BudgetKind kind, long reserved, long spent) {
    tx.update(
        """
        update budget set reserved = reserved - ?, spent = spent + ?
        where agent_id = ? and kind = ?
        """,
        reserved,
        spent,
        owner,
        kind);
  }

  private static Budget budget(ResultRow row) {
    return new Budget(
        new AgentId(row.text("agent_id")),
        row.text("handle"),
        BudgetKind.parse(row.text("kind")),
        row.number("cap"),
        row.number("spent"),
        row.number("reserved"),
        row.instantOrNull("exhausted_at") != null);
  }
}
