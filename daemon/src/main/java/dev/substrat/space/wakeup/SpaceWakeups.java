package dev.substrat.space.wakeup;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.SpaceInboxEvents;
import dev.substrat.messaging.inbox.SpaceInboxEvents.DeliveryTerms;
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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
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
    List<WakeupCandidate> sleepers = others.stream().filter(one -> !one.isExternal()).toList();
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
    reason.ifPresent(why -> recordHeld(tx, space, message, sleepers, why));
  }

  private static List<WakeupCandidate> others(Tx tx, Space space, SpaceMessage message) {
    List<WakeupCandidate> others = MemberTable.listeners(tx, space.id(), message.author());
    return switch (space.wakePolicy()) {
      case ALL, SEQUENTIAL, DM_CHAIN -> others;
      case MENTION -> mentioned(message.text(), others);
      case NONE -> List.of();
    };
  }

  /// External agents are not woken: nothing is held or delayed for them.
  private DeliveryTerms terms(
      Tx tx, Space space, WakeupCandidate agent, SpaceMessage message, boolean isHeld) {
    boolean sleeps = !agent.isExternal();
    Instant due = sleeps && !isHeld ? guards.due(tx, space, agent.id(), message) : Instant.EPOCH;
    return new DeliveryTerms(
        space.id(), null, due, softUntil(message), isHeld && sleeps, subject(space, message));
  }

  /// A person's message is not soft.
  static @Nullable Instant softUntil(SpaceMessage message) {
    return message.author().isPerson() ? null : message.at().plus(Inbox.MAX_HOLD_TIME);
  }

  /// A person's direct messages are a subject of their own.
  static @Nullable String subject(Space space, SpaceMessage message) {
    return space.kind() == Space.SpaceKind.DM && message.author().isPerson()
        ? new TurnSubject.DirectMessageSubject(space.id()).key()
        : null;
  }

  /// Payload of the inbox event.
  static ObjectNode payload(Tx tx, SpaceMessage message) {
    var payload =
        Json.object()
            .put("kind", InboxEvent.InboxEventKind.SPACE_MESSAGE.toString())
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

  private void recordHeld(
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

  /// Releases everything that is held in a space, on behalf of a person; returns how much.
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

  /// Agents mentioned in a text as `@handle` or `@name`.
  private static List<WakeupCandidate> mentioned(String text, Collection<WakeupCandidate> agents) {
    Set<WakeupCandidate> named = new LinkedHashSet<>();
    for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      int start = at + 1;
      // If both "Lars" and "Lars the Tall" match, the longer name is meant.
      int longest = agents.stream().mapToInt(agent -> length(text, start, agent)).max().orElse(0);
      if (longest > 0) {
        agents.stream().filter(agent -> length(text, start, agent) == longest).forEach(named::add);
      }
    }
    return List.copyOf(named);
  }

  /// The length of the agent's name at `start`; 0 if it is another name.
  private static int length(String text, int start, WakeupCandidate agent) {
    return Stream.of(agent.handle(), agent.name())
        .filter(name -> text.regionMatches(true, start, name, 0, name.length()))
        .mapToInt(String::length)
        .filter(length -> isEnd(text, start + length))
        .max()
        .orElse(0);
  }

  private static boolean isEnd(String text, int end) {
    if (end >= text.length()) {
      return true;
    }
    char next = text.charAt(end);
    boolean goesOn = next == '-' && end + 1 < text.length() && isWord(text.charAt(end + 1));
    return !isWord(next) && !goesOn;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }
}
