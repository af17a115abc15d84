package dev.substrat.space;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Access rules of spaces. For an invisible space, the error is the same as for a missing one.
/// Public spaces are visible to all, other spaces to their members, and all spaces to operators.
///
/// A person also needs a role that includes what it does; an agent takes part with its tools and
/// needs none.
public final class SpaceAccess {
  private static final int NAMED_IN_A_HINT = 10;

  private SpaceAccess() {}

  public static Space require(Tx tx, String id, SpaceMember who) {
    return find(tx, id, who).orElseThrow(() -> notFound(tx, id, who));
  }

  /// The space, if `who` may read it.
  static Space require(Tx tx, String id, Principal who) {
    return require(tx, id, reader(who));
  }

  /// The space, if `who` may post there, or join it to post there.
  static Space requireForPosting(Tx tx, String id, Principal who) {
    return require(tx, id, participant(who));
  }

  /// The space, if `who` may change it, its members and what is held there: an operator, or one of
  /// the members.
  static Space requireForChange(Tx tx, String id, Principal who) {
    Space space = requireForPosting(tx, id, who);
    if (!who.isOperator()) {
      requireMember(tx, space, SpaceMember.of(who));
    }
    return space;
  }

  /// The principal as a member of spaces, if it may read in those that it sees.
  static SpaceMember reader(Principal who) {
    return member(who, Scope.SPACES_READ);
  }

  /// The same, if it may post in those that it sees.
  static SpaceMember participant(Principal who) {
    return member(who, Scope.SPACES_POST);
  }

  private static SpaceMember member(Principal who, Scope scope) {
    boolean isAgent =
        who instanceof Principal.AgentPrincipal || who instanceof Principal.TurnPrincipal;
    if (!isAgent) {
      CallerPermissions.requireRole(who, scope);
    }
    return SpaceMember.of(who);
  }

  /// Who is shown what belongs to a space, also a public one, such as its approvals and images.
  /// What belongs to no space is for operators.
  public static boolean isOperatorOrMember(Tx tx, @Nullable String space, Principal who) {
    return who.isOperator()
        || (space != null && MemberTable.isMember(tx, space, SpaceMember.of(who)));
  }

  /// By id; a DM also by its two handles in any order, even after they changed.
  static Optional<Space> find(Tx tx, String id, SpaceMember who) {
    return SpaceTable.find(tx, id)
        .filter(space -> sees(tx, space, who))
        .or(() ->
            DmId.read(tx, id).stream()
                .map(name -> SpaceTable.findDm(tx, name))
                .flatMap(Optional::stream)
                .filter(space -> sees(tx, space, who))
                .findFirst());
  }

  private static boolean sees(Tx tx, Space space, SpaceMember who) {
    return space.kind() == Space.SpaceKind.PUBLIC
        || who.administers()
        || MemberTable.isMember(tx, space.id(), who);
  }

  static void requireMember(Tx tx, Space space, SpaceMember who) {
    if (!MemberTable.isMember(tx, space.id(), who)) {
      throw ErrorCode.NOT_A_MEMBER.fault(
          "%s is not a member of %s".formatted(MemberDirectory.handle(tx, who), space.id()),
          space.kind() == Space.SpaceKind.DM
              ? "only the two members of a DM can write there"
              : "join the space first");
    }
  }

  static Fault notFound(Tx tx, String id, SpaceMember who) {
    List<String> known =
        SpaceTable.seenBy(tx, who, "", NAMED_IN_A_HINT).stream()
            .map(listed -> listed.space().id())
            .toList();
    return ErrorCode.SPACE_NOT_FOUND.fault(
        "space \"" + id + "\" not found",
        known.isEmpty()
            ? "no spaces are visible to you"
            : SpellingSuggestion.suggestion(id, known)
                + "available spaces: "
                + String.join(", ", known));
  }
}
