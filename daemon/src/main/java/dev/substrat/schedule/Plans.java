package dev.substrat.schedule;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Store of agents' plans; [DuePlanDelivery] delivers them. An agent sees and changes only its own;
/// the operator those of all agents.
///
/// Several plans are set in one transaction: all or none.
public final class Plans {
  static final int MAX_NAME_LENGTH = 200;
  static final int MAX_LENGTH = 8_000;

  /// Maximum number of active plans; each can wake its agent every minute.
  static final int MAX_COUNT = 50;

  /// Maximum number of past plans that are kept.
  static final int KEPT = 20;

  static final int AT_ONCE = 50;

  private static final InputPointer PLACE = new InputPointer("/plans");

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Plans(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Plans, as they are stored.
  public record PlanList(List<Plan> plans) {}

  /// All of an agent's, what comes next first.
  public PlanList list(String idOrHandle) {
    return database.read(
        tx -> new PlanList(PlanTable.of(tx, AgentTree.require(tx, idOrHandle).id())));
  }

  /// Active plans, next first.
  public static List<Plan> active(Tx tx, AgentId agent) {
    return PlanTable.of(tx, agent).stream()
        .filter(plan -> plan.status() == Plan.PlanStatus.ACTIVE)
        .toList();
  }

  PlanList set(ToolCall call, List<Plan.PlanDraft> drafts) {
    Agent self = call.caller().agent();
    PlanRequest request = request(self.id(), drafts);
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      return RepeatedCalls.once(
          tx, call, "set_plans", request.now(), PlanList.class, () -> set(tx, self, request));
    });
  }

  /// Set by a person.
  public PlanList set(String idOrHandle, List<Plan.PlanDraft> drafts) {
    Agent agent = database.read(tx -> AgentTree.require(tx, idOrHandle));
    PlanRequest request = request(agent.id(), drafts);
    return database.transact(tx -> set(tx, AgentTree.require(tx, agent.id().value()), request));
  }

  /// Converts a saved plan for this daemon. Computing its first time takes a while, so this happens
  /// before the transaction. `index` is its place in the request.
  public Plan prepare(Plan.SavedPlan saved, int index) {
    InputPointer place = PLACE.at(index);
    place.in("name").require(saved.name(), MAX_NAME_LENGTH);
    place.in("instruction").require(saved.instruction(), MAX_LENGTH);
    PlanTiming timing = PlanTimingParser.ofSaved(saved.draft(), place, now());
    Instant first = PlanTimingParser.first(timing, place, now());
    Plan plan = Plan.blank(timing, first).withTexts(saved.draft());
    return saved.status() == null || saved.status() == Plan.PlanStatus.ACTIVE
        ? plan
        : plan.ended(saved.status());
  }

  /// Stores a prepared plan in a transaction of the caller.
  public void restore(Tx tx, Agent agent, Plan plan) {
    PlanTable.put(tx, agent.id(), plan, now());
    events.append(
        tx, event("plan_set", agent, plan.id(), plan.name()).with("next", plan.nextRunAt()));
    requireRoom(tx, agent);
  }

  private static void requireRoom(Tx tx, Agent agent) {
    if (PlanTable.active(tx, agent.id()) > MAX_COUNT) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "an agent has at most " + MAX_COUNT + " active plans",
          "list your plans with get_plans, and delete plans with delete_plans");
    }
    PlanTable.prune(tx, agent.id(), KEPT);
  }

  /// A validated request, and the first due times as far as they are known.
  private record PlanRequest(
      List<Plan.PlanDraft> drafts,
      Instant now,
      Map<PlanTiming, Instant> firsts,
      Map<Integer, Fault> wrong) {}

  /// Computes the first times before the transaction, because it takes a while.
  private PlanRequest request(AgentId agent, List<Plan.PlanDraft> drafts) {
    Instant now = now();
    List<Plan> known = database.read(tx -> PlanTable.of(tx, agent));
    var firsts = new HashMap<PlanTiming, Instant>();
    var wrong = new HashMap<Integer, Fault>();
    for (int i = 0; i < Math.min(AT_ONCE, drafts.size()); i++) {
      Plan.PlanDraft draft = drafts.get(i);
      try {
        var before = known.stream().filter(plan -> plan.id().equals(draft.id())).findFirst();
        PlanTiming old = before.flatMap(Plans::findTiming).orElse(null);
        InputPointer place = PLACE.at(i);
        PlanTiming timing = PlanTimingParser.of(draft, old, place, now);
        firsts.computeIfAbsent(timing, fresh -> PlanTimingParser.first(fresh, place, now));
      } catch (Fault fault) {
        // Thrown inside the transaction, which knows whether the call is a repeated one.
        wrong.put(i, fault);
        break;
      }
    }
    return new PlanRequest(drafts, now, firsts, wrong);
  }

  private PlanList set(Tx tx, Agent agent, PlanRequest request) {
    PLACE.require(request.drafts(), AT_ONCE);
    var stored = new ArrayList<Plan>();
    for (int i = 0; i < request.drafts().size(); i++) {
      Plan plan = set(tx, agent, request, i);
      events.append(
          tx, event("plan_set", agent, plan.id(), plan.name()).with("next", plan.nextRunAt()));
      stored.add(plan);
    }
    requireRoom(tx, agent);
    return new PlanList(stored);
  }

  private static Plan set(Tx tx, Agent agent, PlanRequest request, int index) {
    Plan.PlanDraft draft = request.drafts().get(index);
    InputPointer place = PLACE.at(index);
    // A plan of another agent counts as missing.
    @Nullable Plan before =
        draft.id() == null
            ? null
            : PlanTable.findForUpdate(tx, agent.id(), draft.id())
                .orElseThrow(
                    () -> InputPointer.unknown("plan", Objects.requireNonNull(draft.id())));
    if (before == null || draft.name() != null) {
      place.in("name").require(draft.name(), MAX_NAME_LENGTH);
    }
    if (before == null || draft.instruction() != null) {
      place.in("instruction").require(draft.instruction(), MAX_LENGTH);
    }
    Plan plan = timed(before, request, index).withTexts(draft);
    PlanTable.put(tx, agent.id(), plan, request.now());
    return plan;
  }

  /// The plan with its old times if its timing has not changed: a due time stays due.
  private static Plan timed(@Nullable Plan before, PlanRequest request, int index) {
    InputPointer place = PLACE.at(index);
    @Nullable PlanTiming old = before == null ? null : findTiming(before).orElse(null);
    PlanTiming timing = PlanTimingParser.of(request.drafts().get(index), old, place, request.now());
    if (before != null && timing.equals(old)) {
      return before;
    }
    Fault wrong = request.wrong().get(index);
    if (wrong != null) {
      throw wrong;
    }
    Instant known = request.firsts().get(timing);
    Instant first = known == null ? PlanTimingParser.first(timing, place, request.now()) : known;
    return before == null ? Plan.blank(timing, first) : before.at(timing, first);
  }

  private static Optional<PlanTiming> findTiming(Plan plan) {
    try {
      return Optional.of(plan.timing());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  DeletionResult delete(ToolCall call, List<String> ids) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      Agent self = call.caller().agent();
      return RepeatedCalls.once(
          tx, call, "delete_plans", now(), DeletionResult.class, () -> delete(tx, self, ids));
    });
  }

  /// Deleted by a person.
  public DeletionResult delete(String idOrHandle, List<String> ids) {
    return database.transact(tx -> delete(tx, AgentTree.require(tx, idOrHandle), ids));
  }

  private DeletionResult delete(Tx tx, Agent agent, List<String> ids) {
    new InputPointer("/ids").require(ids, MAX_COUNT + KEPT);
    var deleted = new ArrayList<String>();
    for (String id : ids) {
      Optional<Plan> plan = PlanTable.find(tx, agent.id(), id);
      if (plan.isPresent() && PlanTable.delete(tx, agent.id(), id)) {
        events.append(tx, event("plan_deleted", agent, id, plan.get().name()));
        deleted.add(id);
      }
    }
    return new DeletionResult(deleted, ids.stream().filter(id -> !deleted.contains(id)).toList());
  }

  /// The agent has ended: its plans will not come any more.
  public void ended(Tx tx, AgentId agent) {
    PlanTable.endAll(tx, agent, now());
  }

  static NewEvent event(String kind, Agent agent, String plan, String name) {
    return NewEvent.of(kind)
        .about(agent.id().value())
        .with("agent", agent.handle())
        .with("plan", plan)
        .with("name", name);
  }

  /// With the precision of the database.
  private Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }
}
