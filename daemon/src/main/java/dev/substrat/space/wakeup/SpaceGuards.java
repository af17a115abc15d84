package dev.substrat.space.wakeup;

import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.space.MemberTable;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessageTable;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.SpaceTable;
import dev.substrat.space.Spaces;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Loop and rate guards of a space: they stop agents from waking each other without end. A stopped
/// message is held or delayed, never dropped: it is posted and readable, and the space shows the
/// reason.
public final class SpaceGuards {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final SpaceGuardLimits limits;
  private final EventLog events;
  private final InstantSource clock;

  public SpaceGuards(SpaceGuardLimits limits, EventLog events, InstantSource clock) {
    this.limits = limits;
    this.events = events;
    this.clock = clock;
  }

  /// The reason why a message must not wake agents, if there is one. Messages of people always
  /// wake.
  Optional<String> check(Tx tx, Space space, SpaceMessage message) {
    if (message.author().isPerson()) {
      return Optional.empty();
    }
    int deepest = space.maxChainDepth() == null ? limits.maxChainDepth() : space.maxChainDepth();
    if (message.depth() >= deepest) {
      return Optional.of(
          "chain depth: the last message of a person is %d message%s ago, the limit is %d"
              .formatted(message.depth(), message.depth() == 1 ? "" : "s", deepest));
    }
    return space.isBreakerOpen() || exceedsRate(tx, space)
        ? Optional.of(tooMany())
        : Optional.empty();
  }

  private boolean exceedsRate(Tx tx, Space space) {
    long count =
        SpaceTable.countAgentMessages(
            tx, space.id(), clock.instant().minus(WINDOW), limits.messagesPerMinute() + 1);
    if (count <= limits.messagesPerMinute()) {
      return false;
    }
    SpaceTable.openBreaker(tx, space.id());
    events.append(
        tx, Spaces.event("breaker_opened", space, SpaceMember.SUBSTRAT).with("reason", tooMany()));
    postSystemMessage(
        tx,
        space,
        "Messages of agents wake no agents here until a person posts or releases "
            + "the held messages: "
            + tooMany());
    return true;
  }

  private String tooMany() {
    return ("rate guard: agents posted more than %d messages in one minute without a "
            + "message of a person")
        .formatted(limits.messagesPerMinute());
  }

  /// Posts a system message in the space.
  private void postSystemMessage(Tx tx, Space space, String text) {
    var line =
        new SpaceMessage(
            MessageId.random(),
            space.id(),
            SpaceTable.nextSeq(tx, space.id()),
            SpaceMember.SUBSTRAT,
            SpaceMember.SUBSTRAT.key(),
            text,
            null,
            SpaceMessage.SpaceMessageKind.SYSTEM,
            SpaceMessage.ToolCallStatus.COMPLETE,
            null,
            null,
            0,
            null,
            null,
            null,
            clock.instant(),
            List.of());
    SpaceMessageTable.insert(tx, line, null);
    events.append(tx, SpaceMessages.created(space, line));
  }

  /// When an agent may be woken: immediately, or after the cooldown since the last wake-up by this
  /// space. Messages meanwhile are due together.
  Instant due(Tx tx, Space space, AgentId agent, SpaceMessage message) {
    Instant now = clock.instant();
    Instant woken = MemberTable.wokenAt(tx, space.id(), agent);
    boolean isCalm = !woken.plus(limits.cooldown()).isAfter(now);
    if (isCalm || message.author().isPerson()) {
      MemberTable.wokenAt(tx, space.id(), agent, now);
      return Instant.EPOCH;
    }
    Instant due = woken.isAfter(now) ? woken : woken.plus(limits.cooldown());
    MemberTable.wokenAt(tx, space.id(), agent, due);
    return due;
  }
}
