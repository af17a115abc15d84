package dev.substrat.turn;

import dev.substrat.event.NewEvent;
import dev.substrat.id.AgentId;
import dev.substrat.id.RunId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.log.Log;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.StaleTurn;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    Optional<Claim> claimed = database.transact(tx -> claim(tx, agent));
    if (claimed.isEmpty()) {
      return;
    }
    Claim claim = claimed.get();
    Caller caller = claim.caller();
    try {
      Outcome outcome =
          parts
              .telemetry()
              .inSpan(
                  "turn " + caller.agent().handle(),
                  SpanKind.INTERNAL,
                  Map.of("substrat.agent", agent.value(), "substrat.run", caller.run().value()),
                  () -> think(claim));
      database.transact(tx -> settle(tx, claim, outcome));
    } catch (StaleTurn e) {
      LOG.warn("a turn came too late", "agent", caller.agent().handle(), "turn", caller.turn());
    }
  }

  private Optional<Claim> claim(Tx tx, AgentId id) {
    Optional<Long> turn = leases.take(tx, id);
    if (turn.isEmpty()) {
      return Optional.empty();
    }
    var now = parts.clock().instant();
    List<InboxEvent> events = Inbox.claim(tx, id, turn.get(), now);
    if (events.isEmpty()) {
      leases.giveBack(tx, id);
      return Optional.empty();
    }
    Agent agent = Agents.find(tx, id.value()).orElseThrow();
    Runs.closeOrphans(tx, id, now);
    int depth =
        events.stream().mapToInt(event -> event.payload().path("depth").asInt()).max().orElse(0);
    var caller = new Caller(agent, RunId.random(), leases.owner(), turn.get(), depth);
    Runs.start(tx, caller, now);
    parts.delivery().claimed(tx, events);
    parts.events().append(tx, event("turn_started", caller).with("events", events.size()));
    return Optional.of(new Claim(caller, events));
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
      return new Outcome.Stopped();
    } catch (RuntimeException e) {
      LOG.warn("a provider broke", "agent", claim.caller().agent().handle(), "reason", e);
      return new Outcome.Failed("the provider broke: " + e.getMessage());
    }
  }

  private boolean settle(Tx tx, Claim claim, Outcome outcome) {
    Fence.require(tx, claim.caller());
    switch (outcome) {
      case Outcome.Finished finished -> finish(tx, claim, finished.text());
      case Outcome.Failed failed -> fail(tx, claim, failed.reason());
      // The events stay as they are, for the next daemon: no attempt is counted against them.
      case Outcome.Stopped _ -> end(tx, claim.caller(), "failed", "the daemon is stopping", null);
    }
    leases.giveBack(tx, claim.caller().agent().id());
    return true;
  }

  private void finish(Tx tx, Claim claim, String text) {
    claim.events().forEach(event -> Inbox.consume(tx, event, claim.caller().turn()));
    parts.delivery().settle(tx, claim.caller(), claim.events(), text);
    end(tx, claim.caller(), "done", null, text);
  }

  private void fail(Tx tx, Claim claim, String reason) {
    Caller caller = claim.caller();
    LOG.warn(
        "a turn failed", "agent", caller.agent().handle(), "turn", caller.turn(), "reason", reason);
    var now = parts.clock().instant();
    for (InboxEvent event : claim.events()) {
      if (event.attempts() + 1 >= MAX_ATTEMPTS) {
        Inbox.consume(tx, event, caller.turn());
        parts.delivery().bury(tx, caller, event, reason);
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
