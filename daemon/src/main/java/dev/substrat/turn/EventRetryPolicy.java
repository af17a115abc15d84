package dev.substrat.turn;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCaller;
import dev.substrat.turn.run.Runs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Decides what happens to the events of an unfinished turn: retry, postpone or give up.
record EventRetryPolicy(TurnDependencies parts) {
  /// After an outage of this length the event is given up, and its sender gets a notice.
  private static final Duration MAX_OUTAGE = Duration.ofDays(1);

  private static final Duration MAX_PAUSE = Duration.ofHours(1);
  private static final int MAX_DOUBLINGS = 8;

  /// Retries the events after 1, 2, 4, 8 seconds and counts the attempts: a briefly overloaded
  /// provider can recover.
  void tryAgain(Tx tx, ToolCaller caller, List<InboxEvent> events) {
    var now = parts.clock().instant();
    for (InboxEvent event : events) {
      Inbox.scheduleRetry(tx, event, caller.turn(), now, doubled(event.attempts()));
      parts.delivery().markNotShown(tx, event);
    }
    if (!events.isEmpty()) {
      tx.afterCommit(() -> parts.telemetry().add("substrat.events.retried", events.size()));
    }
  }

  /// Releases the events until `dueAt`; it does not count as an attempt.
  void leave(Tx tx, ToolCaller caller, List<InboxEvent> events, Instant dueAt) {
    for (InboxEvent event : events) {
      Inbox.putBack(tx, event, caller.turn(), dueAt);
      parts.delivery().markNotShown(tx, event);
    }
  }

  /// Postpones the events and everything else that waits for the agent, at least for `wanted`, and
  /// longer after each attempt. Events that waited for a day are given up.
  void postpone(Tx tx, ToolCaller caller, List<InboxEvent> events, Duration wanted, String reason) {
    Instant now = parts.clock().instant();
    Map<Boolean, List<InboxEvent>> isOver =
        events.stream()
            .collect(
                Collectors.partitioningBy(
                    event -> firstTried(tx, event, now).plus(MAX_OUTAGE).isBefore(now)));
    Duration own = doubled(Math.min(MAX_DOUBLINGS, Runs.attempt(tx, caller.run()) - 1));
    Duration pause = wanted.compareTo(own) > 0 ? wanted : own;
    Duration bounded = pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
    // Otherwise the unavailable provider is no longer the agent's provider.
    Instant dueAt = hasChanged(tx, caller.agent()) ? now : now.plus(bounded);
    leave(tx, caller, isOver.getOrDefault(false, List.of()), now);
    Inbox.postponeAll(tx, caller.agent().id(), now, dueAt);
    giveUp(tx, caller, isOver.getOrDefault(true, List.of()), reason);
  }

  /// Whether the configuration has changed since the turn started.
  private static boolean hasChanged(Tx tx, Agent agent) {
    return AgentTree.find(tx, agent.id().value())
        .filter(now -> !now.config().equals(agent.config()))
        .isPresent();
  }

  private static Instant firstTried(Tx tx, InboxEvent event, Instant otherwise) {
    return tx.find(
            """
            select run.started_at from run_event join run on run.id = run_event.run_id
            where run_event.event_id = ? order by run.started_at limit 1
            """,
            row -> row.instant("started_at"),
            event.id())
        .orElse(otherwise);
  }

  /// Gives up the events of a turn, and the question that the turn is about.
  void giveUp(Tx tx, ToolCaller caller, List<InboxEvent> events, String reason) {
    AgentId agent = caller.agent().id();
    for (InboxEvent event : events) {
      Inbox.consume(tx, event, caller.turn());
      parts.delivery().markDead(tx, agent, event, reason);
      if (event.subject() != null) {
        parts.delivery().giveUp(tx, agent, event.subject(), reason);
      }
    }
  }

  private static Duration doubled(int times) {
    return Duration.ofSeconds(1L << times);
  }
}
