package dev.substrat.space;

import dev.substrat.access.person.People;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Resolves handles and names to members of spaces, and members to handles.
public final class MemberDirectory {
  private MemberDirectory() {}

  /// An agent by id, handle or name, the operator, or a person by name or key; else a fault. The
  /// fault suggests names only if the operator asks, who may see all of them.
  static SpaceMember require(Tx tx, String typed, SpaceMember asking) {
    if (typed.equals(Principal.OPERATOR_NAME) || typed.startsWith(SpaceMember.PERSON)) {
      return new SpaceMember(typed);
    }
    return person(tx, typed)
        .or(() -> AgentTree.findLiving(tx, typed).map(SpaceMember::of))
        .orElseThrow(() -> notFound(tx, typed, asking));
  }

  private static Fault notFound(Tx tx, String typed, SpaceMember asking) {
    boolean hasEnded = asking.administers() && AgentTree.find(tx, typed).isPresent();
    return ErrorCode.AGENT_NOT_FOUND.fault(
        hasEnded
            ? "agent %s was terminated".formatted(typed)
            : "no agent or person is named " + typed,
        asking.administers()
            ? SpellingSuggestion.suggestion(typed.toLowerCase(Locale.ROOT), allNames(tx))
                + "list agents (GET /api/agents, ./substrat agent list) or people (GET /api/people)"
            : "check the name, or ask the operator");
  }

  private static List<String> allNames(Tx tx) {
    return Stream.concat(AgentTree.list(tx).stream().map(Agent::handle), People.names(tx).stream())
        .toList();
  }

  private static Optional<SpaceMember> person(Tx tx, String name) {
    return People.find(tx, name).map(person -> SpaceMember.of(person.principal()));
  }

  /// The member with this handle in the id of a DM.
  static Optional<SpaceMember> find(Tx tx, String handle) {
    return handle.equals(Principal.OPERATOR_NAME)
        ? Optional.of(SpaceMember.OPERATOR)
        : person(tx, handle)
            .or(() ->
                AgentTree.find(tx, handle)
                    .filter(agent -> agent.handle().equals(handle))
                    .map(SpaceMember::of));
  }

  /// The handle of a member in a space: an agent's handle, or a person's name, which is unique.
  public static String handle(Tx tx, SpaceMember member) {
    return handle(
        member,
        member.isAgent() ? AgentTree.find(tx, member.key()).map(Agent::handle).orElse(null) : null);
  }

  /// The same, where the agent's handle is known.
  static String handle(SpaceMember member, @Nullable String ofAgent) {
    return ofAgent == null ? bareName(member) : ofAgent;
  }

  /// The sender name of a message: an agent's name, as in direct messages.
  public static String name(Tx tx, SpaceMember member) {
    return member.isAgent()
        ? AgentTree.find(tx, member.key()).map(Agent::name).orElse(member.key())
        : bareName(member);
  }

  /// Name of a member in the id of a DM.
  static String dmHandle(Tx tx, SpaceMember member) {
    return member.isAgent() ? handle(tx, member) : bareName(member);
  }

  private static String bareName(SpaceMember member) {
    return member.key().startsWith(SpaceMember.PERSON)
        ? member.key().substring(SpaceMember.PERSON.length())
        : member.key();
  }

  /// Whether they are still there: an agent that has ended is not, nor a person who was removed.
  public static boolean exists(Tx tx, SpaceMember member) {
    if (member.isAgent()) {
      return AgentTree.find(tx, member.key()).filter(Agent::isAlive).isPresent();
    }
    return member.isOperator() || People.find(tx, bareName(member)).isPresent();
  }
}
