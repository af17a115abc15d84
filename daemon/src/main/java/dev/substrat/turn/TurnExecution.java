package dev.substrat.turn;

import dev.substrat.access.budget.BudgetExceeded;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ReplayMismatch;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.turn.run.Runs;
import dev.substrat.turn.scheduling.Leases;
import dev.substrat.turn.scheduling.Leases.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Executes one turn: claim events, run the provider, settle the result.
///
/// Claiming and settling are one transaction each. Between them only the lease is held, so if the
/// daemon dies, the next turn claims the same events again.
final class TurnExecution {
  private static final Log LOG = Log.of(TurnExecution.class);
  private static final int MAX_ATTEMPTS = 5;

  private final Database database;
  private final Leases leases;
  private final TurnDependencies parts;
  private final LongConsumer claimTook;
  private final EventRetryPolicy unfinished;

  /// `claimTook` is given the duration of each claim in nanoseconds.
  TurnExecution(Database database, Leases leases, TurnDependencies parts, LongConsumer claimTook) {
    this.database = database;
    this.leases = leases;
    this.parts = parts;
    this.claimTook = claimTook;
    this.unfinished = new EventRetryPolicy(parts);
  }

  /// Runs the agent's next turn. Returns false if it has none, or if another daemon has started it.
  boolean run(AgentId agent) {
    Optional<LiveTurn.LiveTurnParameters> claimed;
    long start = System.nanoTime();
    try {
      claimed = database.transact(tx -> claim(tx, agent));
    } catch (BudgetExceeded refusal) {
      parts.spending().noTurn(agent, refusal);
      return true;
    }
    if (claimed.isEmpty()) {
      parts.telemetry().add("substrat.claims.lost", 1);
      return false;
    }
    claimTook.accept(System.nanoTime() - start);
    var view = new LiveTurn(database, parts, claimed.get());
    ToolCaller caller = view.caller();
    parts.running().begin(view, parts.clock().instant().plus(view.time()));
    try {
      settle(view, traced(view));
    } catch (StaleTurn e) {
      LOG.info("a turn lost its lease", "agent", caller.agent().handle(), "turn", caller.turn());
      count(caller, "lost");
      leave(caller);
    } finally {
      parts.running().end(agent);
    }
    return true;
  }

  private TurnOutcome traced(LiveTurn view) {
    try (var trace = view.trace();
        var _ = view.commentary()) {
      return trace.inTurn(() -> runProvider(view));
    }
  }

  /// If the end cannot be stored because of a bug, it counts as a failed attempt: otherwise the
  /// same turn would be repeated forever. An outage does not count; the events wait.
  private void settle(LiveTurn view, TurnOutcome outcome) {
    try {
      database.transact(tx -> settle(tx, view, outcome));
      count(view.caller(), result(outcome));
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      if (OutageClassifier.isOutage(e)) {
        throw e;
      }
      LOG.error("cannot settle a turn", e, "agent", view.caller().agent().handle());
      settleAsFailed(view, "the result of the turn could not be stored: " + e.getMessage());
    }
  }

  private void settleAsFailed(LiveTurn view, String reason) {
    database.transact(tx -> settle(tx, view, new TurnOutcome.TurnFailed(reason)));
    count(view.caller(), "failed");
  }

  private void count(ToolCaller caller, String result) {
    ProviderConfig provider = caller.agent().config().provider();
    parts
        .telemetry()
        .count(
            "substrat.turns",
            "provider",
            provider == null ? "none" : provider.name(),
            "result",
            result);
  }

  private static String result(TurnOutcome outcome) {
    return switch (outcome) {
      case TurnOutcome.TurnFinished _ -> "done";
      case TurnOutcome.TurnFailed _, TurnOutcome.UnrecoverableFailure _ -> "failed";
      case TurnOutcome.LimitReached _ -> "refused";
      case TurnOutcome.TurnPostponed _ -> "postponed";
      case TurnOutcome.TurnInterrupted _ -> "stopped";
    };
  }

  private void leave(ToolCaller caller) {
    database.transact(tx -> {
      leases.clear(tx, caller.agent().id(), caller.turn());
      return true;
    });
  }

  private Optional<LiveTurn.LiveTurnParameters> claim(Tx tx, AgentId id) {
    Optional<Long> turn = leases.acquire(tx, id, parts.clock().instant());
    if (turn.isEmpty()) {
      return Optional.empty();
    }
    // Taken after the lease, for which it may have waited: the turn begins when the last one is
    // over.
    var now = parts.clock().instant();
    parts.spaces().moveToInbox(tx, id);
    if (turn.get() == 1) {
      TurnClaim.dropNeedlessStart(tx, id, now);
    }
    TurnClaim claim = TurnClaim.take(tx, id, turn.get(), now);
    List<InboxEvent> events = claim.events();
    if (events.isEmpty()) {
      leases.release(tx, new Lease(id, turn.get()));
      return Optional.empty();
    }
    Agent agent = AgentTree.find(tx, id.value()).orElseThrow();
    Runs.close(tx, parts.events(), id, Runs.ORPHANED, now);
    Optional<CallPrefix> beginning = parts.beginnings().of(tx, id, turn.get());
    var run = RunId.random();
    var chain = RunInputEvents.ChainPosition.of(claim.subject(), events);
    var caller =
        new ToolCaller(agent, run, leases.owner(), turn.get(), chain.depth(), chain.cause());
    Runs.start(tx, caller, claim, now);
    parts.spaces().begin(tx, caller, claim.subject(), events);
    Duration time = parts.spending().openTurn(tx, caller);
    parts.delivery().claimed(tx, events);
    parts.events().append(tx, event("turn_started", caller).with("events", events.size()));
    return Optional.of(
        new LiveTurn.LiveTurnParameters(caller, events, time, beginning.orElse(null)));
  }

  /// A failed turn is an outcome, never an exception.
  private TurnOutcome runProvider(LiveTurn view) {
    try {
      return view.judge(parts.providers().runTurn(view));
    } catch (ReplayMismatch e) {
      return new TurnOutcome.UnrecoverableFailure(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      // The turn must still be settled; the thread ends right after.
      return parts
          .running()
          .reason(view.agent().id())
          .map(view::interrupted)
          .orElseGet(TurnOutcome.TurnInterrupted::new);
    }
  }

  private boolean settle(Tx tx, LiveTurn view, TurnOutcome outcome) {
    ToolCaller caller = view.caller();
    TurnFence.require(tx, caller);
    // Events that the agent fetched with check_inbox belong to the turn, too.
    List<InboxEvent> events = Inbox.claimedBy(tx, caller.agent().id(), caller.turn());
    parts.spaces().lockSpaces(tx, caller, events);
    parts.spending().closeTurn(tx, caller.agent().id());
    switch (outcome) {
      case TurnOutcome.TurnFinished finished -> finish(tx, view, events, finished.text());
      case TurnOutcome.TurnFailed failed -> fail(tx, caller, events, failed.reason(), MAX_ATTEMPTS);
      case TurnOutcome.UnrecoverableFailure hopeless ->
          fail(tx, caller, events, hopeless.reason(), 1);
      case TurnOutcome.LimitReached refused -> refuse(tx, caller, events, refused);
      case TurnOutcome.TurnPostponed later -> postpone(tx, caller, events, later);
      // The events stay as they are, for the next daemon: no attempt is counted against them.
      case TurnOutcome.TurnInterrupted _ ->
          end(tx, caller, "failed", "the daemon is stopping", null);
    }
    if (wasCutShort(caller.agent(), outcome)) {
      Runs.cutShort(tx, caller);
    }
    parts.spaces().turnEnded(tx, caller.agent().id());
    leases.release(tx, new Lease(caller.agent().id(), caller.turn()));
    return true;
  }

  /// True if the turn was ended from outside.
  private boolean wasCutShort(Agent agent, TurnOutcome outcome) {
    return switch (outcome) {
      case TurnOutcome.TurnFinished _,
          TurnOutcome.UnrecoverableFailure _,
          TurnOutcome.TurnPostponed _ ->
          false;
      // The provider cannot know how much of a budget is left.
      case TurnOutcome.LimitReached refused ->
          refused.reason().code() == ErrorCode.BUDGET_EXHAUSTED;
      case TurnOutcome.TurnFailed _ -> parts.running().reason(agent.id()).isPresent();
      case TurnOutcome.TurnInterrupted _ -> true;
    };
  }

  private void finish(Tx tx, LiveTurn view, List<InboxEvent> events, String text) {
    ToolCaller caller = view.caller();
    parts.spaces().finish(tx, caller, text);
    List<InboxEvent> consumed = parts.delivery().leaveReleased(tx, caller, events);
    consumed.forEach(event -> Inbox.consume(tx, event, caller.turn()));
    parts.delivery().read(tx, consumed);
    parts.spaces().read(tx, caller.agent().id(), consumed);
    Inbox.makePostponedDue(tx, caller.agent().id());
    parts.delivery().settle(tx, caller, text);
    parts.transcript().recordText(tx, view.place(), text);
    end(tx, caller, "done", null, text);
    parts.subscriptions().turnEnded(tx, ended(tx, caller, events), "done", text);
  }

  private void fail(
      Tx tx, ToolCaller caller, List<InboxEvent> events, String reason, int attempts) {
    LOG.warn(
        "a turn failed", "agent", caller.agent().handle(), "turn", caller.turn(), "reason", reason);
    Map<Boolean, List<InboxEvent>> isOver =
        events.stream()
            .collect(Collectors.partitioningBy(event -> event.attempts() + 1 >= attempts));
    unfinished.tryAgain(tx, caller, isOver.getOrDefault(false, List.of()));
    // After the retries: a retried question is not given up.
    unfinished.giveUp(tx, caller, isOver.getOrDefault(true, List.of()), reason);
    end(tx, caller, "failed", reason, null);
    parts.subscriptions().turnEnded(tx, ended(tx, caller, events), "failed", reason);
  }

  /// The provider is overloaded or not available: the events wait.
  private void postpone(
      Tx tx, ToolCaller caller, List<InboxEvent> events, TurnOutcome.TurnPostponed later) {
    LOG.warn(
        "a turn was postponed by its provider",
        "agent",
        caller.agent().handle(),
        "reason",
        later.reason());
    unfinished.postpone(tx, caller, events, later.pause(), later.reason());
    end(tx, caller, "failed", later.reason(), null);
  }

  /// Trying again would not help: what waits for a budget waits, what reached a limit is dead.
  private void refuse(
      Tx tx, ToolCaller caller, List<InboxEvent> events, TurnOutcome.LimitReached refused) {
    String reason = refused.words();
    LOG.warn("a turn was rejected", "agent", caller.agent().handle(), "reason", reason);
    AgentId agent = caller.agent().id();
    if (refused.reason().code() == ErrorCode.BUDGET_EXHAUSTED) {
      Instant dueAt = parts.clock().instant().plus(parts.spending().pause(tx, agent));
      unfinished.leave(tx, caller, events, dueAt);
    } else {
      unfinished.giveUp(tx, caller, events, reason);
      parts.subscriptions().turnEnded(tx, ended(tx, caller, events), "failed", reason);
    }
    end(tx, caller, "failed", reason, null);
  }

  private static TurnSubscriptions.EndedTurn ended(
      Tx tx, ToolCaller caller, List<InboxEvent> events) {
    return new TurnSubscriptions.EndedTurn(
        caller.agent(), RunInputEvents.chain(tx, caller), events);
  }

  private void end(
      Tx tx, ToolCaller caller, String status, @Nullable String reason, @Nullable String response) {
    Runs.end(tx, caller, status, reason, response, parts.clock().instant());
    parts
        .events()
        .append(tx, event("turn_ended", caller).with("status", status).with("stopReason", reason));
  }

  private static NewEvent event(String kind, ToolCaller caller) {
    return NewEvent.of(kind)
        .about(caller.agent().id().value())
        .during(caller.run().value())
        .with("agent", caller.agent().handle())
        .with("turn", caller.turn());
  }
}
