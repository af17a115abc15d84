package dev.substrat.space;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The space that a turn is about. `person` is the handle of the other member if it is a DM with a
/// person.
public record TurnSpace(Space space, @Nullable String person) {
  /// The space of a running turn.
  public static Optional<TurnSpace> find(Tx tx, RunId run) {
    return TurnSpaceTable.find(tx, run)
        .flatMap(id -> SpaceTable.find(tx, id))
        .map(space -> of(tx, space));
  }

  /// The space of a turn with these events: that of its subject, otherwise that of its newest space
  /// message. Empty if the agent is not a member, for example a fork.
  public static Optional<TurnSpace> of(
      Tx tx, Agent agent, @Nullable String subject, List<InboxEvent> events) {
    Optional<String> id =
        TurnSubject.findSpace(subject)
            .or(() ->
                events.stream()
                    .filter(event -> event.kind() == InboxEvent.InboxEventKind.SPACE_MESSAGE)
                    .reduce((_, newer) -> newer)
                    .map(event -> event.payload().path("space").asText()));
    return id.filter(space -> MemberTable.isMember(tx, space, SpaceMember.of(agent)))
        .flatMap(space -> SpaceTable.find(tx, space))
        .map(space -> of(tx, space));
  }

  static TurnSpace of(Tx tx, Space space) {
    return new TurnSpace(
        space,
        space.kind() == Space.SpaceKind.DM
            ? MemberTable.of(tx, space.id()).stream()
                .filter(one -> one.member().isPerson())
                .map(Membership::handle)
                .findFirst()
                .orElse(null)
            : null);
  }

  /// Whether the final text of an agent's turn is posted there, unless the turn has answered.
  public boolean takesFinalTextOf(Agent agent) {
    return person != null || agent.config().spacesOrDefault().postsFinalText();
  }
}
