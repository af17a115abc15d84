package dev.substrat.schedule;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.GoalId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Store of agents' goals. An agent sees and changes only its own; the operator those of all
/// agents.
///
/// Several goals are set in one transaction: all or none.
public final class Goals {
  static final int MAX_LENGTH = 2_000;

  /// Completed goals count until they are deleted.
  static final int MAX_COUNT = 200;

  static final int AT_ONCE = 50;

  private static final InputPointer PLACE = new InputPointer("/goals");

  private static final String SELECT =
      "select id, description, priority, status, created_at, updated_at from goal ";

  /// Highest priority first, then oldest first.
  private static final String ORDER =
      """
      order by case priority when 'high' then 0 when 'medium' then 1 else 2 end, created_at, id
      """;

  private static final String PUT =
      """
      insert into goal (id, agent_id, description, priority, status, created_at, updated_at)
      values (?, ?, ?, ?, ?, ?, ?)
      on conflict (id) do update set
        description = excluded.description,
        priority = excluded.priority,
        status = excluded.status,
        updated_at = excluded.updated_at
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Goals(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Goals, as they are stored.
  public record GoalList(List<Goal> goals) {}

  /// All of an agent's, what matters most first.
  public GoalList list(String idOrHandle) {
    return database.read(tx -> {
      String agent = AgentTree.require(tx, idOrHandle).id().value();
      return new GoalList(tx.list(SELECT + "where agent_id = ? " + ORDER, Goals::goal, agent));
    });
  }

  /// Active goals of an agent, highest priority first.
  public static List<Goal> active(Tx tx, AgentId agent, int most) {
    return tx.list(
        SELECT + "where agent_id = ? and status = 'active' " + ORDER + "limit ?",
        Goals::goal,
        agent.value(),
        most);
  }

  GoalList set(ToolCall call, List<Goal.GoalDraft> drafts) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent self = call.caller().agent();
      return RepeatedCalls.once(
          tx, call, "set_goals", now(), GoalList.class, () -> set(tx, self, drafts));
    });
  }

  /// Set by a person.
  public GoalList set(String idOrHandle, List<Goal.GoalDraft> drafts) {
    return database.transact(tx -> set(tx, AgentTree.require(tx, idOrHandle), drafts));
  }

  /// The same in a transaction of the caller.
  public GoalList set(Tx tx, Agent agent, List<Goal.GoalDraft> drafts) {
    PLACE.require(drafts, AT_ONCE);
    // Locks the agent's goals until the commit.
    AgentStateTable.lock(tx, agent.id());
    var stored = new ArrayList<Goal>();
    for (int i = 0; i < drafts.size(); i++) {
      stored.add(set(tx, agent, drafts.get(i), PLACE.at(i)));
    }
    requireRoom(tx, agent);
    List<String> ids = stored.stream().map(Goal::id).toList();
    events.append(tx, event(agent).with("set", ids));
    return new GoalList(stored);
  }

  private Goal set(Tx tx, Agent agent, Goal.GoalDraft draft, InputPointer place) {
    if (draft.id() == null || draft.description() != null) {
      place.in("description").require(draft.description(), MAX_LENGTH);
    }
    Goal goal = before(tx, agent, draft.id()).with(draft, now());
    tx.update(
        PUT,
        goal.id(),
        agent.id().value(),
        goal.description(),
        goal.priority(),
        goal.status(),
        goal.createdAt(),
        goal.updatedAt());
    return goal;
  }

  /// The goal with this id; for a goal of another agent the error is the same as for a missing one.
  private Goal before(Tx tx, Agent agent, @Nullable String id) {
    if (id == null) {
      String fresh = GoalId.random().value();
      return new Goal(fresh, "", Goal.GoalPriority.MEDIUM, Goal.GoalStatus.ACTIVE, now(), now());
    }
    return tx.find(SELECT + "where id = ? and agent_id = ?", Goals::goal, id, agent.id().value())
        .orElseThrow(() -> InputPointer.unknown("goal", id));
  }

  private static void requireRoom(Tx tx, Agent agent) {
    long all = tx.number("select count(*) as n from goal where agent_id = ?", agent.id().value());
    if (all > MAX_COUNT) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "an agent has at most " + MAX_COUNT + " goals",
          "delete completed or abandoned goals with delete_goals");
    }
  }

  DeletionResult delete(ToolCall call, List<String> ids) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent self = call.caller().agent();
      return RepeatedCalls.once(
          tx, call, "delete_goals", now(), DeletionResult.class, () -> delete(tx, self, ids));
    });
  }

  /// Deleted by a person.
  public DeletionResult delete(String idOrHandle, List<String> ids) {
    return database.transact(tx -> delete(tx, AgentTree.require(tx, idOrHandle), ids));
  }

  private DeletionResult delete(Tx tx, Agent agent, List<String> ids) {
    new InputPointer("/ids").require(ids, MAX_COUNT);
    List<String> deleted = ids.stream().distinct().filter(id -> isDeleted(tx, agent, id)).toList();
    if (!deleted.isEmpty()) {
      events.append(tx, event(agent).with("deleted", deleted));
    }
    return new DeletionResult(deleted, ids.stream().filter(id -> !deleted.contains(id)).toList());
  }

  private static boolean isDeleted(Tx tx, Agent agent, String id) {
    String where = "where id = ? and agent_id = ?";
    return tx.update("delete from goal " + where, id, agent.id().value()) == 1;
  }

  private static NewEvent event(Agent agent) {
    return NewEvent.of("goals_changed").about(agent.id().value()).with("agent", agent.handle());
  }

  /// With the precision of the database.
  private Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  private static Goal goal(ResultRow row) {
    return new Goal(
        row.text("id"),
        row.text("description"),
        Goal.GoalPriority.valueOf(row.text("priority").toUpperCase(Locale.ROOT)),
        Goal.GoalStatus.valueOf(row.text("status").toUpperCase(Locale.ROOT)),
        row.instant("created_at"),
        row.instant("updated_at"));
  }
}
