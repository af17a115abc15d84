package dev.substrat.space;

import dev.substrat.messaging.inbox.HeldEventSource;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.space.wakeup.SequentialRounds;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Updates spaces when turns begin and end and when agents are terminated, inside the transactions
/// of those.
public final class SpaceTurns implements HeldEventSource {
  private final Database database;
  private final SequentialRounds rounds;
  private final SpaceHistory history;
  private final Spaces spaces;
  private final FinalTextPosting finalText;

  SpaceTurns(
      Database database,
      SequentialRounds rounds,
      SpaceHistory history,
      Spaces spaces,
      FinalTextPosting finalText) {
    this.database = database;
    this.rounds = rounds;
    this.history = history;
    this.spaces = spaces;
    this.finalText = finalText;
  }

  /// Called when an agent or a turn fetches inbox events: adds the held messages.
  @Override
  public void moveToInbox(Tx tx, AgentId agent) {
    rounds.addHeld(tx, agent);
  }

  /// A turn begins: it is about the space of its subject, else about the space of its newest space
  /// message. The turn is in that space until it enters or leaves one.
  public void begin(Tx tx, ToolCaller caller, @Nullable String subject, List<InboxEvent> events) {
    TurnSpace.of(tx, caller.agent(), subject, events)
        .ifPresent(found -> TurnSpaceTable.begin(tx, caller, found.space().id()));
  }

  /// Posts the final text of a successful turn. Its events are not consumed yet: the text belongs
  /// to their round.
  public void finish(Tx tx, ToolCaller caller, String text) {
    finalText.settle(tx, caller, text);
  }

  /// Called at the end of a turn. It locks all spaces concerned before anything in them, in the
  /// same order as writers, to avoid deadlocks.
  public void lockSpaces(Tx tx, ToolCaller caller, List<InboxEvent> given) {
    lockSpaces(tx, caller.agent().id(), given, TurnSpaceTable.find(tx, caller.run()).stream());
  }

  /// The same for a turn that posts nothing, because it was cancelled.
  public void lockSpaces(Tx tx, AgentId agent, List<InboxEvent> given) {
    lockSpaces(tx, agent, given, Stream.empty());
  }

  private void lockSpaces(Tx tx, AgentId agent, List<InboxEvent> given, Stream<String> own) {
    SpaceTable.lock(
        tx,
        Stream.of(own, ofSpaces(given).map(SpaceTurns::space), rounds.spacesWaitingFor(tx, agent))
            .flatMap(ids -> ids));
  }

  private static Stream<InboxEvent> ofSpaces(List<InboxEvent> events) {
    return events.stream().filter(event -> event.kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE);
  }

  /// Marks the events of a successful turn as read in their spaces, as far as there is no gap.
  public void read(Tx tx, AgentId agent, List<InboxEvent> consumed) {
    var member = new SpaceMember(agent.value());
    ofSpaces(consumed)
        .sorted(Comparator.comparing(SpaceTurns::space).thenComparingLong(SpaceTurns::seq))
        .forEach(event -> read(tx, member, space(event), seq(event)));
  }

  private void read(Tx tx, SpaceMember member, String id, long seq) {
    // A fork gets copies of events from spaces that it is not a member of.
    SpaceTable.find(tx, id)
        .filter(space -> MemberTable.isMember(tx, id, member))
        .filter(space -> MemberTable.isNext(tx, id, member, seq))
        .ifPresent(space -> history.markRead(tx, space, member, seq));
  }

  private static String space(InboxEvent event) {
    return event.payload().path("space").asText();
  }

  private static long seq(InboxEvent event) {
    return event.payload().path("seq").asLong();
  }

  /// Continues rounds that waited for the turn, however it ended.
  public void turnEnded(Tx tx, AgentId agent) {
    rounds.turnEnded(tx, agent);
  }

  /// A terminated agent leaves its spaces, and rounds continue without it. Its DMs stay readable
  /// for the other member.
  public void ended(Tx tx, AgentId agent) {
    var member = new SpaceMember(agent.value());
    List<Space> all = SpaceTable.of(tx, member);
    // Concurrent writers wait and then find the agent terminated; their earlier messages are
    // removed with its inbox.
    SpaceTable.lock(tx, all.stream().map(Space::id));
    all.stream()
        .filter(space -> space.kind() != Space.SpaceKind.DM)
        .forEach(space -> spaces.leave(tx, space, member));
    rounds.removeMember(tx, agent, Optional.empty());
  }

  /// Continues rounds whose patience is over; returns how many.
  public int skipOverdue() {
    return database.read(rounds::hasOverdue) ? database.transact(rounds::skipOverdue) : 0;
  }
}
