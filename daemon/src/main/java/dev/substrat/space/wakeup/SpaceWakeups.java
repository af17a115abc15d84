package dev.substrat.space.wakeup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.SpaceInboxEvents;
import dev.substrat.messaging.inbox.SpaceInboxEvents.Terms;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.platform.json.Json;
import dev.substrat.space.MemberDirectory;
import dev.substrat.space.MemberTable;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessageTable;
import dev.substrat.space.SpaceTable;
import dev.substrat.space.Spaces;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides which agents a space message wakes, by wake policy and guards. This happens in the
/// transaction that stores the message, under the lock of the space.
public final class SpaceWakeups {
  private final SpaceGuards guards;
  private final SequentialRounds rounds;
  private final EventLog events;

  public SpaceWakeups(SpaceGuards guards, SequentialRounds rounds, EventLog events) {
    this.guards = guards;
    this.rounds = rounds;
    this.events = events;
  }

  public void wake(Tx tx, Space space, SpaceMessage message) {
    if (message.author().isPerson()) {
      release(tx, space);
    }
    List<WakeupCandidate> others = others(tx, space, message);
    if (others.isEmpty() || message.round() != null) {
      return;
    }
    SpaceMessageTable.woke(tx, message.id(), others);
    List<WakeupCandidate> sleepers = others.stream().filter(one -> !one.isElsewhere()).toList();
    Optional<String> reason =
        sleepers.isEmpty() ? Optional.empty() : guards.check(tx, space, message);
    if (space.wakePolicy() == Space.WakePolicy.SEQUENTIAL) {
      rounds.begin(tx, message, others, reason.isPresent());
    } else {
      ObjectNode payload = payload(tx, message);
      for (WakeupCandidate agent : others) {
        SpaceInboxEvents.put(
            tx, agent.id(), payload, terms(tx, space, agent, message, reason.isPresent()));
      }
    }
    reason.ifPresent(why -> tellHeld(tx, space, message, sleepers, why));
  }

  private static List<WakeupCandidate> others(Tx tx, Space space, SpaceMessage message) {
    List<WakeupCandidate> others = MemberTable.listeners(tx, space.id(), message.author());
    return switch (space.wakePolicy()) {
      case ALL, SEQUENTIAL, DM_CHAIN -> others;
      case MENTION -> Mentions.in(message.text(), others);
      case NONE -> List.of();
    };
  }

  /// External agents are not woken: nothing is held or delayed for them.
  private Terms terms(
      Tx tx, Space space, WakeupCandidate agent, SpaceMessage message, boolean isHeld) {
    boolean sleeps = !agent.isElsewhere();
    Instant due = sleeps && !isHeld ? guards.due(tx, space, agent.id(), message) : Instant.EPOCH;
    return new Terms(
        space.id(), null, due, softUntil(message), isHeld && sleeps, subject(space, message));
  }

  /// A person's message is not soft.
  static @Nullable Instant softUntil(SpaceMessage message) {
    return message.author().isPerson() ? null : message.at().plus(Inbox.LONGEST_HOLD);
  }

  /// What a person writes in direct messages is a subject of its own.
  static @Nullable String subject(Space space, SpaceMessage message) {
    return space.kind() == Space.Kind.DM && message.author().isPerson()
        ? new TurnSubject.DirectMessages(space.id()).key()
        : null;
  }

  /// What the agent is shown.
  static ObjectNode payload(Tx tx, SpaceMessage message) {
    var payload =
        Json.object()
            .put("kind", InboxEvent.Kind.SPACE_MESSAGE.toString())
            .put("from", MemberDirectory.name(tx, message.author()))
            .put("author", message.author().key())
            .put("text", message.text())
            .put("space", message.space())
            .put("message_id", message.id().value())
            .put("seq", message.seq())
            .put("depth", message.depth());
    if (message.parent() != null) {
      payload.put("parent_id", message.parent().value());
    }
    if (message.cause() != null) {
      payload.put(InboxEvent.CAUSE, message.cause().value());
    }
    return payload;
  }

  private void tellHeld(
      Tx tx, Space space, SpaceMessage message, List<WakeupCandidate> agents, String reason) {
    SpaceMessageTable.heldBecause(tx, message.id(), reason);
    SpaceTable.heldBecause(tx, space.id(), reason);
    events.append(
        tx,
        Spaces.event("wake_held", space, message.author())
            .with("message_id", message.id().value())
            .with("agents", agents.stream().map(WakeupCandidate::handle).toList())
            .with("reason", reason));
  }

  /// A person lets everything go on that is held in a space; returns how much that is.
  public int release(Tx tx, Space space) {
    boolean wasOpen = SpaceTable.resetGuards(tx, space);
    int released = SpaceInboxEvents.release(tx, space.id()) + rounds.release(tx, space.id());
    if (wasOpen || released > 0) {
      events.append(
          tx,
          Spaces.event("wakes_released", space, SpaceMember.SUBSTRAT).with("released", released));
    }
    return released;
  }
}
