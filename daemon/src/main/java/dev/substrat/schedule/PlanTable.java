package dev.substrat.schedule;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `plan`. Every change increments the row's revision.
final class PlanTable {
  private static final String SELECT =
      """
      select plan.id, plan.agent_id, plan.name, plan.instruction, plan.cron, plan.timezone,
        plan.scheduled_at, plan.status, plan.next_at, plan.last_run_at, plan.runs, plan.missed,
        plan.event_id, plan.revision
      from plan
      """;

  /// Next plans first; then past plans, newest first.
  private static final String OF_AGENT =
      SELECT
          + """
          where agent_id = ?
          order by case when next_at is null then 1 else 0 end, next_at, last_run_at desc, id
          """;

  private static final String DUE =
      SELECT
          + """
          join agent on agent.id = plan.agent_id
          where plan.next_at <= ? and agent.terminated_at is null
          order by plan.next_at, plan.id
          limit ?
          """;

  private static final String PUT =
      """
      insert into plan
        (id, agent_id, name, instruction, cron, timezone, scheduled_at, status, next_at,
         created_at, updated_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set
        name = excluded.name,
        instruction = excluded.instruction,
        cron = excluded.cron,
        timezone = excluded.timezone,
        scheduled_at = excluded.scheduled_at,
        status = excluded.status,
        next_at = excluded.next_at,
        missed = 0,
        revision = plan.revision + 1,
        updated_at = excluded.updated_at
      """;

  private static final String PRUNE =
      """
      delete from plan where agent_id = ? and next_at is null and id not in (
        select kept.id from plan kept
        where kept.agent_id = ? and kept.next_at is null
        order by coalesce(kept.last_run_at, kept.updated_at) desc, kept.id desc
        limit ?
      )
      """;

  private static final String END =
      """
      update plan set status = 'ended', next_at = null, revision = revision + 1, updated_at = ?
      where agent_id = ? and next_at is not null
      """;

  private PlanTable() {}

  /// A plan as it stood when it was read.
  record StoredPlan(
      Plan plan, AgentId agent, long missed, @Nullable String lastEvent, long revision) {}

  static List<Plan> of(Tx tx, AgentId agent) {
    return tx.list(OF_AGENT, PlanTable::plan, agent.value());
  }

  static Optional<Plan> find(Tx tx, AgentId agent, String id) {
    return tx.find(SELECT + "where id = ? and agent_id = ?", PlanTable::plan, id, agent.value());
  }

  /// The same, locked until the commit.
  static Optional<Plan> findForUpdate(Tx tx, AgentId agent, String id) {
    tx.update(
        "update plan set revision = revision + 1 where id = ? and agent_id = ?", id, agent.value());
    return find(tx, agent, id);
  }

  static List<StoredPlan> due(Tx tx, Instant now, int most) {
    return tx.list(DUE, PlanTable::standing, now, most);
  }

  static void put(Tx tx, AgentId agent, Plan plan, Instant now) {
    tx.update(
        PUT,
        plan.id(),
        agent.value(),
        plan.name(),
        plan.instruction(),
        plan.cron(),
        plan.timezone(),
        plan.scheduledAt(),
        plan.status(),
        plan.nextRunAt(),
        now,
        now);
  }

  static boolean delete(Tx tx, AgentId agent, String id) {
    return tx.update("delete from plan where id = ? and agent_id = ?", id, agent.value()) == 1;
  }

  static long active(Tx tx, AgentId agent) {
    return tx.number(
        "select count(*) as n from plan where agent_id = ? and next_at is not null", agent.value());
  }

  /// Deletes past plans, except for the newest ones.
  static void prune(Tx tx, AgentId agent, int kept) {
    tx.update(PRUNE, agent.value(), agent.value(), kept);
  }

  static void endAll(Tx tx, AgentId agent, Instant now) {
    tx.update(END, now, agent.value());
  }

  private static StoredPlan standing(ResultRow row) {
    return new StoredPlan(
        plan(row),
        new AgentId(row.text("agent_id")),
        row.number("missed"),
        row.textOrNull("event_id"),
        row.number("revision"));
  }

  private static Plan plan(ResultRow row) {
    return new Plan(
        row.text("id"),
        row.text("name"),
        row.text("instruction"),
        row.textOrNull("cron"),
        row.textOrNull("timezone"),
        row.instantOrNull("scheduled_at"),
        Plan.PlanStatus.valueOf(row.text("status").toUpperCase(Locale.ROOT)),
        row.instantOrNull("next_at"),
        row.instantOrNull("last_run_at"),
        row.number("runs"));
  }
}
