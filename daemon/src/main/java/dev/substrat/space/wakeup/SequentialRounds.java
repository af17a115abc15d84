package dev.substrat.space.wakeup;

import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.SpaceInboxEvents;
import dev.substrat.messaging.inbox.SpaceInboxEvents.DeliveryTerms;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.space.MemberDirectory;
import dev.substrat.space.MemberTable;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessageTable;
import dev.substrat.space.SpaceTable;
import dev.substrat.space.Spaces;
import dev.substrat.space.wakeup.SequentialRoundTable.SequentialRound;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rounds of spaces with the wake policy `sequential`: members are woken one after another, each
/// seeing the messages of those before it.
///
/// A message that belongs to no round starts one; the rounds of a space run one after another. The
/// next member gets its events in the transaction in which the previous one finishes: it answered,
/// did nothing, failed, was cancelled or terminated, or left. A round does not wait for members
/// that are external, gated or out of budget: they get their events, and the round continues. It
/// waits for a member that does not start its turn no longer than the patience.
public final class SequentialRounds {
  private final EventLog events;
  private final InstantSource clock;
  private final Duration timeout;

  public SequentialRounds(EventLog events, InstantSource clock, Duration timeout) {
    this.events = events;
    this.clock = clock;
    this.timeout = timeout;
  }

  /// A held one begins when a person releases it.
  void begin(Tx tx, SpaceMessage message, List<WakeupCandidate> members, boolean isHeld) {
    SequentialRoundTable.insert(tx, message, members, isHeld);
    if (!isHeld) {
      startNextRound(tx, message.space());
    }
  }

  int release(Tx tx, String space) {
    int released = SequentialRoundTable.release(tx, space);
    if (released > 0) {
      startNextRound(tx, space);
    }
    return released;
  }

  /// Called when the agent fetches its inbox: it gets the message of a held round, still held.
  /// After the release, the round skips the agent.
  public void addHeld(Tx tx, AgentId agent) {
    Set<String> spaces =
        SequentialRoundTable.heldFrom(tx, agent).stream()
            .map(SequentialRound::space)
            .collect(Collectors.toSet());
    SpaceTable.lock(tx, spaces.stream());
    // Read again: only now they stay as they are.
    SequentialRoundTable.heldFrom(tx, agent).stream()
        .filter(round -> spaces.contains(round.space()))
        .forEach(round -> addHeld(tx, round, agent));
  }

  private static void addHeld(Tx tx, SequentialRound round, AgentId agent) {
    SequentialRoundTable.skip(tx, round, agent);
    if (MemberTable.isMember(tx, round.space(), new SpaceMember(agent.value()))) {
      SpaceMessage message = SpaceMessageTable.find(tx, round.message()).orElseThrow();
      var terms =
          new DeliveryTerms(
              round.space(), null, Instant.EPOCH, SpaceWakeups.softUntil(message), true, null);
      SpaceInboxEvents.put(tx, agent, SpaceWakeups.payload(tx, message), terms);
    }
  }

  /// Spaces whose round waits for the agent.
  public Stream<String> spacesWaitingFor(Tx tx, AgentId agent) {
    return SequentialRoundTable.waitingFor(tx, agent).stream().map(SequentialRound::space);
  }

  /// Called when the agent may have finished its events: the next members are woken. Rounds that
  /// started to wait for it since its spaces were locked wait for its next turn.
  public void turnEnded(Tx tx, AgentId agent) {
    for (SequentialRound round : SequentialRoundTable.waitingFor(tx, agent)) {
      if (!SpaceInboxEvents.isWaiting(tx, agent, round.message())) {
        next(tx, round);
      }
    }
  }

  /// Continues rounds that wait for an agent without it, in all spaces or in one.
  public void removeMember(Tx tx, AgentId agent, Optional<String> space) {
    SequentialRoundTable.waitingFor(tx, agent).stream()
        .filter(round -> space.isEmpty() || space.get().equals(round.space()))
        .forEach(round -> next(tx, round));
  }

  public boolean hasOverdue(Tx tx) {
    return !SequentialRoundTable.due(tx, clock.instant()).isEmpty();
  }

  /// Continues without members whose patience is over; returns how many.
  public int skipOverdue(Tx tx) {
    Instant now = clock.instant();
    List<SequentialRound> due = SequentialRoundTable.due(tx, now);
    SpaceTable.lock(tx, due.stream().map(SequentialRound::space));
    for (SequentialRound seen : due) {
      SequentialRoundTable.find(tx, seen.message())
          .filter(round -> round.equals(seen))
          .ifPresent(round -> overdue(tx, round, now));
    }
    return due.size();
  }

  private void overdue(Tx tx, SequentialRound round, Instant now) {
    AgentId agent = new AgentId(Optional.ofNullable(round.waiting()).orElseThrow());
    if (SpaceInboxEvents.isClaimed(tx, agent, round.message())) {
      // A turn has a limit of its own.
      SequentialRoundTable.waitUntil(tx, round, agent, now.plus(timeout));
      return;
    }
    Space space = SpaceTable.require(tx, round.space());
    events.append(
        tx,
        Spaces.event("round_went_on", space, new SpaceMember(agent.value()))
            .with("message_id", round.message().value())
            .with("without", MemberDirectory.handle(tx, new SpaceMember(agent.value()))));
    next(tx, round);
  }

  /// The next round of a space, if none is under way.
  private void startNextRound(Tx tx, String space) {
    if (!SequentialRoundTable.isRunning(tx, space)) {
      SequentialRoundTable.findQueued(tx, space).ifPresent(round -> next(tx, round));
    }
  }

  private void next(Tx tx, SequentialRound round) {
    SpaceMessage message = SpaceMessageTable.find(tx, round.message()).orElseThrow();
    var queue = new ArrayDeque<>(round.queue());
    while (!queue.isEmpty()) {
      AgentId agent = new AgentId(queue.remove());
      if (deliver(tx, message, agent) && mayBegin(tx, agent)) {
        SequentialRoundTable.wait(tx, round, agent, queue, clock.instant().plus(timeout));
        return;
      }
    }
    SequentialRoundTable.end(tx, round);
    startNextRound(tx, round.space());
  }

  /// Delivers the message and later ones; false if the agent is not a member any more.
  private static boolean deliver(Tx tx, SpaceMessage message, AgentId agent) {
    var member = new SpaceMember(agent.value());
    boolean isThere =
        MemberTable.isMember(tx, message.space(), member) && MemberDirectory.exists(tx, member);
    if (isThere) {
      Stream.concat(
              Stream.of(message), SpaceMessageTable.inRound(tx, message.id(), member).stream())
          .forEach(said ->
              SpaceInboxEvents.put(
                  tx, agent, SpaceWakeups.payload(tx, said), terms(tx, message, said)));
    }
    return isThere;
  }

  private static DeliveryTerms terms(Tx tx, SpaceMessage began, SpaceMessage said) {
    return new DeliveryTerms(
        said.space(),
        began.id(),
        Instant.EPOCH,
        SpaceWakeups.softUntil(said),
        false,
        SpaceWakeups.subject(SpaceTable.require(tx, said.space()), said));
  }

  private static boolean mayBegin(Tx tx, AgentId agent) {
    boolean isShut =
        tx.number(
                "select count(*) as n from agent where id = ? and gated = 1 and permits = 0",
                agent.value())
            > 0;
    boolean isExternal = AgentTree.find(tx, agent.value()).filter(Agent::isExternal).isPresent();
    return !isShut && !isExternal && BudgetTable.findStop(tx, agent).isEmpty();
  }
}
