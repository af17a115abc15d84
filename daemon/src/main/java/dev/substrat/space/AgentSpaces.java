package dev.substrat.space;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The spaces of an agent at one moment, and which of them is its active space.
public record AgentSpaces(@Nullable String active, List<SpaceSummary> memberships) {
  public AgentSpaces {
    memberships = List.copyOf(memberships);
  }

  /// A space and the agent's number of unread messages.
  public record SpaceSummary(Space space, long unread) {}

  /// In a turn about a space, that space is active.
  public static AgentSpaces of(Tx tx, AgentId agent, @Nullable TurnSpace turn) {
    var member = new SpaceMember(agent.value());
    Map<String, Long> unread = MemberTable.unread(tx, member);
    return new AgentSpaces(
        turn == null ? ActiveSpace.find(tx, agent).orElse(null) : turn.space().id(),
        SpaceTable.of(tx, member).stream()
            .map(space -> new SpaceSummary(space, unread.getOrDefault(space.id(), 0L)))
            .toList());
  }
}
