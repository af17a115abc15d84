package dev.substrat.space;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Optional;

/// Access rules of spaces. A space that a caller must not see looks as if it did not exist. Public
/// spaces are visible to all, other spaces to their members, and all spaces to operators.
public final class SpaceAccess {
  private static final int NAMED_IN_A_HINT = 10;

  private SpaceAccess() {}

  public static Space require(Tx tx, String id, SpaceMember who) {
    return find(tx, id, who).orElseThrow(() -> notFound(tx, id, who));
  }

  /// By id; a DM also by its two handles in any order, and after they have changed.
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
    return space.kind() == Space.Kind.PUBLIC
        || who.administers()
        || MemberTable.isMember(tx, space.id(), who);
  }

  static void requireMember(Tx tx, Space space, SpaceMember who) {
    if (!MemberTable.isMember(tx, space.id(), who)) {
      throw new Fault(
          ErrorCode.NOT_A_MEMBER,
          "%s is not a member of %s".formatted(MemberDirectory.handle(tx, who), space.id()),
          space.kind() == Space.Kind.DM
              ? "only the two members of a DM can write there"
              : "join the space first");
    }
  }

  static Fault notFound(Tx tx, String id, SpaceMember who) {
    List<String> known =
        SpaceTable.seenBy(tx, who, "", NAMED_IN_A_HINT).stream()
            .map(listed -> listed.space().id())
            .toList();
    return new Fault(
        ErrorCode.SPACE_NOT_FOUND,
        "space \"" + id + "\" not found",
        known.isEmpty()
            ? "no spaces are visible to you"
            : SpellingSuggestion.suggestion(id, known)
                + "available spaces: "
                + String.join(", ", known));
  }
}
