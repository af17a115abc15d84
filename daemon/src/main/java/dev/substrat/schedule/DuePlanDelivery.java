package dev.substrat.schedule;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Delivers plans that are due: each occurrence once, by whichever daemon is first.
///
/// Due plans are found by a query, and delivering one updates its next time in the same
/// transaction; a daemon that finds the row updated does nothing. The next time is always later
/// than the one before, so a clock that is set back delivers nothing twice. Occurrences that were
/// missed, because no daemon ran or because the previous one is still unread, are not delivered
/// later: the next delivery contains their number.
public final class DuePlanDelivery {
  private static final Log LOG = Log.of(DuePlanDelivery.class);
  private static final int BATCH = 100;

  /// Missed times are counted up to this number, because computing each takes a while.
  static final int MAX_COUNTED = 100;

  private static final String MOVE =
      """
      update plan set status = ?, next_at = ?, revision = revision + 1,
      """;

  private static final String COME =
      MOVE
          + """
          last_run_at = ?, runs = runs + 1, missed = 0, event_id = ?
          where id = ? and revision = ?
          """;

  private static final String MISS =
      MOVE
          + """
          missed = missed + ?
          where id = ? and revision = ?
          """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public DuePlanDelivery(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// Delivers due plans; returns how many.
  public int fire() {
    Instant now = Instant.ofEpochMilli(clock.millis());
    List<PlanTable.StoredPlan> due = database.read(tx -> PlanTable.due(tx, now, BATCH));
    if (due.isEmpty()) {
      return 0;
    }
    // Computing the next times is slow compared with a transaction.
    List<PlanOccurrence> turns = due.stream().map(standing -> turn(standing, now)).toList();
    return database.transact(
        tx -> (int) turns.stream().filter(turn -> take(tx, turn, now)).count());
  }

  /// A due plan: when it was due, how many times it was missed since, and its next time, if there
  /// is one.
  private record PlanOccurrence(
      PlanTable.StoredPlan now, Instant due, int missed, @Nullable Instant next) {
    Plan plan() {
      return now.plan();
    }

    Plan.PlanStatus status() {
      if (next != null) {
        return Plan.PlanStatus.ACTIVE;
      }
      return plan().cron() == null ? Plan.PlanStatus.DONE : Plan.PlanStatus.ENDED;
    }
  }

  private static PlanOccurrence turn(PlanTable.StoredPlan standing, Instant now) {
    Instant due = Objects.requireNonNull(standing.plan().nextRunAt());
    try {
      PlanTiming.NextTimeFunction times = standing.plan().timing().again();
      int missed = 0;
      Optional<Instant> next = times.next(due);
      while (missed < MAX_COUNTED && next.isPresent() && !next.get().isAfter(now)) {
        missed++;
        next = times.next(next.get());
      }
      if (next.isPresent() && !next.get().isAfter(now)) {
        next = times.next(now);
      }
      return new PlanOccurrence(standing, due, missed, next.orElse(null));
    } catch (RuntimeException e) {
      // Another Java version may not know the time zone. The plan is delivered once and does not
      // block others.
      LOG.warn(
          "cannot compute the next time of a plan",
          "plan",
          standing.plan().id(),
          "reason",
          e.getMessage());
      return new PlanOccurrence(standing, due, 0, null);
    }
  }

  /// True if this daemon delivers it.
  private boolean take(Tx tx, PlanOccurrence turn, Instant now) {
    return stillWaits(tx, turn) ? miss(tx, turn) : deliver(tx, turn, now);
  }

  /// Whether an earlier event of the plan still waits: a blocked agent gets a plan once, however
  /// often it was due.
  private static boolean stillWaits(Tx tx, PlanOccurrence turn) {
    return turn.next() != null
        && tx.find(
                "select 1 from inbox_event where id = ? and turn_no is null",
                _ -> true,
                turn.now().lastEvent())
            .isPresent();
  }

  private boolean miss(Tx tx, PlanOccurrence turn) {
    int times = 1 + turn.missed();
    boolean isFirst =
        tx.update(MISS, turn.status(), turn.next(), times, turn.plan().id(), turn.now().revision())
            == 1;
    if (isFirst) {
      Agent agent = agent(tx, turn);
      events.append(
          tx,
          Plans.event("plan_missed", agent, turn.plan().id(), turn.plan().name())
              .with("due", turn.due())
              .with("missed", turn.now().missed() + times));
    }
    return isFirst;
  }

  private boolean deliver(Tx tx, PlanOccurrence turn, Instant now) {
    String event = MessageId.random().value();
    int moved =
        tx.update(
            COME, turn.status(), turn.next(), now, event, turn.plan().id(), turn.now().revision());
    if (moved == 0) {
      // Another daemon was faster, or the plan was changed.
      return false;
    }
    Agent agent = agent(tx, turn);
    long missed = turn.now().missed() + turn.missed();
    Inbox.put(tx, agent.id(), planEvent(event, turn, missed), false);
    events.append(
        tx,
        Plans.event("plan_due", agent, turn.plan().id(), turn.plan().name())
            .with("text", turn.plan().instruction())
            .with("due", turn.due())
            .with("missed", missed));
    return true;
  }

  private static InboxEvent planEvent(String id, PlanOccurrence turn, long missed) {
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.PLAN.toString())
            .put("from", "yourself")
            .put("text", turn.plan().instruction())
            .put("plan_id", turn.plan().id())
            .put("name", turn.plan().name())
            .put("due", turn.due().toString())
            .put("missed", missed)
            .put("depth", 0);
    return new InboxEvent(id, InboxEvent.InboxEventKind.PLAN, null, payload, 0, false);
  }

  private static Agent agent(Tx tx, PlanOccurrence turn) {
    return AgentTree.find(tx, turn.now().agent().value()).orElseThrow();
  }
}
