package dev.substrat.turn;

import dev.substrat.event.NewEvent;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.id.RunId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.log.Log;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Tree;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.StaleTurn;
import dev.substrat.turn.Leases.Lease;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One turn from inbox to silence: claim, think, settle.
///
/// Claiming and settling are one transaction each. Between them nothing is held but the lease, so a
/// daemon that dies in the middle leaves events that the next turn simply claims again.
final class OneTurn {
  private static final Log LOG = Log.of(OneTurn.class);
  private static final int MAX_ATTEMPTS = 5;

  private final Database database;
  private final Leases leases;
  private final TurnParts parts;

  OneTurn(Database database, Leases leases, TurnParts parts) {
    this.database = database;
    this.leases = leases;
    this.parts = parts;
  }

  void run(AgentId agent) {
    Optional<Claim> claimed = claim(agent);
    if (claimed.isEmpty()) {
      return;
    }
    Claim claim = claimed.get();
    Caller caller = claim.caller();
    Duration patience = caller.agent().config().limitsOrDefault().turn();
    parts.running().begin(agent, caller.turn(), parts.clock().instant().plus(patience));
    try {
      Outcome outcome =
          parts
              .telemetry()
              .inSpan(
                  "turn " + caller.agent().handle(),
                  SpanKind.INTERNAL,
                  Map.of("substrat.agent", agent.value(), "substrat.run", caller.run().value()),
                  () -> think(claim));
      settle(claim, outcome);
    } catch (StaleTurn e) {
      LOG.info("a turn lost its lease", "agent", caller.agent().handle(), "turn", caller.turn());
      leave(caller);
    } finally {
      parts.running().end(agent);
    }
  }

  private Optional<Claim> claim(AgentId agent) {
    return database.transact(tx -> claim(tx, agent));
  }

  /// An end that cannot be stored because of a bug counts as a failed attempt: otherwise the same
  /// turn would be taken and thought again for ever. An outage counts nothing; its events simply
  /// wait.
  private void settle(Claim claim, Outcome outcome) {
    try {
      database.transact(tx -> settle(tx, claim, outcome));
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      if (Outages.isOne(e)) {
        throw e;
      }
      LOG.error("a turn could not be settled", e, "agent", claim.caller().agent().handle());
      settleAsFailed(claim, "its end could not be stored: " + e.getMessage());
    }
  }

  private void settleAsFailed(Claim claim, String reason) {
    database.transact(tx -> settle(tx, claim, new Outcome.Failed(reason)));
  }

  private void leave(Caller caller) {
    database.transact(tx -> {
      leases.clear(tx, caller.agent().id(), caller.turn());
      return true;
    });
  }

  private Optional<Claim> claim(Tx tx, AgentId id) {
    Optional<Long> turn = leases.take(tx, id, parts.clock().instant());
    if (turn.isEmpty()) {
      return Optional.empty();
    }
    // Taken after the lease, for which it may have waited: the turn begins when the last one is
    // over.
    var now = parts.clock().instant();
    List<InboxEvent> all = Inbox.claim(tx, id, turn.get(), now);
    if (all.isEmpty()) {
      leases.giveBack(tx, new Lease(id, turn.get()));
      return Optional.empty();
    }
    Agent agent = Tree.find(tx, id.value()).orElseThrow();
    AbandonedTurns.closeOrphans(parts.events(), tx, id, AbandonedTurns.DAEMON_GONE, now);
    List<InboxEvent> events = withoutNeedlessStart(tx, all, turn.get());
    var run = RunId.random();
    var caller = caller(agent, run, turn.get(), events);
    Runs.start(tx, caller, events, now);
    parts.delivery().claimed(tx, events);
    parts.events().append(tx, event("turn_started", caller).with("events", events.size()));
    return Optional.of(new Claim(caller, events));
  }

  /// A child that was written to before its very first turn starts with its mail.
  private static List<InboxEvent> withoutNeedlessStart(Tx tx, List<InboxEvent> all, long turn) {
    var others = all.stream().filter(e -> e.kind() != InboxEvent.Kind.START).toList();
    if (turn != 1 || others.isEmpty() || others.size() == all.size()) {
      return all;
    }
    all.stream()
        .filter(e -> e.kind() == InboxEvent.Kind.START)
        .forEach(start -> Inbox.consume(tx, start, turn));
    return others;
  }

  /// As deep as the deepest event; caused by the deepest message, whatever else there is.
  private Caller caller(Agent agent, RunId run, long turn, List<InboxEvent> events) {
    int depth = events.stream().mapToInt(InboxEvent::depth).max().orElse(0);
    MessageId cause =
        events.stream()
            .filter(event -> event.message() != null)
            .max(Comparator.comparingInt(InboxEvent::depth))
            .map(InboxEvent::message)
            .orElse(null);
    return new Caller(agent, run, leases.owner(), turn, depth, cause);
  }

  /// A turn's failure is data, never an exception that escapes.
  private Outcome think(Claim claim) {
    AgentConfig.Mind mind = claim.caller().agent().config().provider();
    try {
      if (mind == null) {
        return new Outcome.Failed("the agent has no provider");
      }
      var view = new LiveTurn(database, parts, claim.caller(), claim.events());
      return parts.providers().require(mind.name()).think(view);
    } catch (StaleTurn e) {
      throw e;
    } catch (InterruptedException e) {
      // Settling still has to be done; the thread ends right after.
      return parts
          .running()
          .reason(claim.caller().agent().id())
          .<Outcome>map(Outcome.Failed::new)
          .orElseGet(Outcome.Stopped::new);
    } catch (RuntimeException e) {
      LOG.warn("a provider broke", "agent", claim.caller().agent().handle(), "reason", e);
      return new Outcome.Failed("the provider broke: " + e.getMessage());
    }
  }

  private boolean settle(Tx tx, Claim claim, Outcome outcome) {
    Caller caller = claim.caller();
    Fence.require(tx, caller);
    // Also what the agent fetched with check_inbox meanwhile carries the turn's number.
    List<InboxEvent> events = Inbox.claimedBy(tx, caller.agent().id(), caller.turn());
    recordFetched(tx, claim, events);
    switch (outcome) {
      case Outcome.Finished finished -> finish(tx, caller, events, finished.text());
      case Outcome.Failed failed -> fail(tx, caller, events, failed.reason());
      // The events stay as they are, for the next daemon: no attempt is counted against them.
      case Outcome.Stopped _ -> end(tx, caller, "failed", "the daemon is stopping", null);
    }
    leases.giveBack(tx, new Lease(caller.agent().id(), caller.turn()));
    return true;
  }

  private void recordFetched(Tx tx, Claim claim, List<InboxEvent> events) {
    var given = claim.events().stream().map(InboxEvent::id).collect(Collectors.toSet());
    var fetched = events.stream().filter(event -> !given.contains(event.id())).toList();
    Runs.fetched(tx, claim.caller(), given.size(), fetched, parts.clock().instant());
  }

  private void finish(Tx tx, Caller caller, List<InboxEvent> events, String text) {
    events.forEach(event -> Inbox.consume(tx, event, caller.turn()));
    parts.delivery().read(tx, events);
    parts.delivery().settle(tx, caller, text);
    parts.transcript().said(tx, caller.run(), text);
    end(tx, caller, "done", null, text);
  }

  private void fail(Tx tx, Caller caller, List<InboxEvent> events, String reason) {
    LOG.warn(
        "a turn failed", "agent", caller.agent().handle(), "turn", caller.turn(), "reason", reason);
    var now = parts.clock().instant();
    for (InboxEvent event : events) {
      if (event.attempts() + 1 >= MAX_ATTEMPTS) {
        Inbox.consume(tx, event, caller.turn());
        parts.delivery().bury(tx, caller.agent().id(), event, reason);
        parts.delivery().breakPromises(tx, caller.agent().id(), reason);
      } else {
        Inbox.giveBack(tx, event, caller.turn(), now, pauseAfter(event.attempts()));
        parts.delivery().givenBack(tx, event);
      }
    }
    end(tx, caller, "failed", reason, null);
  }

  /// 1, 2, 4, 8 seconds: a provider that is briefly overloaded gets room to recover.
  private static Duration pauseAfter(int attempts) {
    return Duration.ofSeconds(1L << attempts);
  }

  private void end(
      Tx tx, Caller caller, String status, @Nullable String reason, @Nullable String response) {
    Runs.end(tx, caller, status, reason, response, parts.clock().instant());
    parts
        .events()
        .append(
            tx,
            event("turn_ended", caller)
                .with("status", status)
                .with("stopReason", reason)
                .with("response", response));
  }

  private static NewEvent event(String kind, Caller caller) {
    return NewEvent.of(kind)
        .about(caller.agent().id().value())
        .during(caller.run().value())
        .with("agent", caller.agent().handle())
        .with("turn", caller.turn());
  }

  private record Claim(Caller caller, List<InboxEvent> events) {}
}
