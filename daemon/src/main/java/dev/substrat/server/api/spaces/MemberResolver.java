package dev.substrat.server.api.spaces;

import dev.substrat.access.person.People;
import dev.substrat.access.person.Person;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.Membership;
import dev.substrat.space.SpaceMember;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.Optional;

/// Resolves a name in a request to a member: people by name, agents by handle.
public final class MemberResolver {
  private final Database database;

  MemberResolver(Database database) {
    this.database = database;
  }

  /// The key of a member in spaces: a person's key, otherwise the given name.
  String known(String typed) {
    requireName(typed);
    return database.read(tx -> People.key(tx, typed));
  }

  /// The same, including removed people: they may still be members.
  String everKnown(String typed) {
    requireName(typed);
    return database.read(tx -> People.keyEver(tx, typed));
  }

  private static void requireName(String typed) {
    if (typed.startsWith(SpaceMember.PERSON)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "people are addressed by name, not as \"" + typed + "\"",
          "omit the prefix " + SpaceMember.PERSON);
    }
  }

  /// Name of a member.
  String name(Membership membership) {
    return database.read(tx -> name(tx, membership));
  }

  private static String name(Tx tx, Membership membership) {
    SpaceMember member = membership.member();
    String called = membership.handle();
    Optional<String> name =
        member.isAgent()
            ? AgentTree.find(tx, member.key()).map(Agent::name)
            : People.find(tx, called).map(Person::displayName);
    return name.orElse(called);
  }
}
