package dev.substrat.space;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Spaces.SpaceDefinition;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Creates spaces: on request, or a DM when its first message is posted.
record SpaceCreation(EventLog events, InstantSource clock) {

  Space create(Tx tx, SpaceMember creator, SpaceDefinition request) {
    var members = new LinkedHashSet<SpaceMember>();
    request.members().forEach(one -> members.add(MemberDirectory.require(tx, one, creator)));
    boolean isMissing = request.kind() == Space.SpaceKind.DM && members.size() == 1;
    if (!creator.isOperator() || isMissing) {
      members.add(creator);
    }
    return request.kind() == Space.SpaceKind.DM
        ? createDm(tx, creator, request, members)
        : create(tx, draft(creator, request, SpaceRules.id(request)), null, members);
  }

  /// Validates a space whose members need not exist yet.
  void validate(Tx tx, SpaceDefinition request) {
    long members = request.members().stream().distinct().count();
    if (request.kind() != Space.SpaceKind.DM) {
      String id = SpaceRules.id(request);
      if (SpaceTable.find(tx, id).isPresent()) {
        throw taken(id);
      }
    } else if (members != 1) {
      // If only one other member is named, the creator is the second.
      requireTwo(members);
    }
  }

  private static void requireTwo(long members) {
    if (members != 2) {
      throw SpaceRules.wrong(
          "/members",
          "a dm has exactly two members, not " + members,
          "name two members, or create a private space");
    }
  }

  private Space createDm(
      Tx tx, SpaceMember creator, SpaceDefinition request, SequencedSet<SpaceMember> members) {
    requireTwo(members.size());
    var name = new DmId(members.getFirst(), members.getLast());
    if (SpaceTable.findDm(tx, name).isPresent()) {
      throw taken(name.id(tx));
    }
    return create(tx, draft(creator, request, freeId(tx, name)), name.pair(), members);
  }

  /// Handles have dashes, so that another pair may have this one's id.
  private static String freeId(Tx tx, DmId name) {
    String wanted = name.id(tx);
    String id = wanted;
    for (int suffix = 2; SpaceTable.find(tx, id).isPresent(); suffix++) {
      id = wanted + "-" + suffix;
    }
    return id;
  }

  private Space draft(SpaceMember creator, SpaceDefinition request, String id) {
    return new Space(
        id,
        request.name(),
        request.kind(),
        request.topic() == null ? "" : request.topic(),
        request.wakePolicy() == null ? request.kind().policy() : request.wakePolicy(),
        request.maxChainDepth(),
        0,
        false,
        null,
        creator,
        clock.instant());
  }

  private Space create(
      Tx tx, Space space, @Nullable String pair, SequencedSet<SpaceMember> members) {
    if (!SpaceTable.insert(tx, space, pair)) {
      throw taken(space.id());
    }
    return filled(tx, space, members);
  }

  private Space filled(Tx tx, Space space, SequencedSet<SpaceMember> members) {
    members.forEach(member -> MemberTable.add(tx, space.id(), member, clock.instant()));
    events.append(
        tx,
        Spaces.event("space_created", space, space.createdBy())
            .with("name", space.name())
            .with("spaceKind", space.kind().toString())
            .with("topic", space.topic())
            .with("wakePolicy", space.wakePolicy().toString())
            .with(
                "members", members.stream().map(one -> MemberDirectory.handle(tx, one)).toList()));
    return SpaceTable.require(tx, space.id());
  }

  private static Fault taken(String id) {
    return ErrorCode.CONFLICT.fault(
        "space " + id + " already exists", "use the existing space, or choose another id");
  }

  /// The DM with this id, created because a member writes to it; empty unless the caller is one of
  /// the two and both exist.
  Optional<Space> openDm(Tx tx, String id, SpaceMember who) {
    return DmId.read(tx, id).stream()
        .filter(name -> name.isOf(who))
        .filter(name ->
            MemberDirectory.exists(tx, name.one()) && MemberDirectory.exists(tx, name.other()))
        .findFirst()
        .map(name -> openDm(tx, name, who));
  }

  private Space openDm(Tx tx, DmId name, SpaceMember who) {
    var request = SpaceDefinition.of(name.id(tx), Space.SpaceKind.DM, List.of());
    Space draft = draft(who, request, freeId(tx, name));
    // The other one may have written at the same moment.
    return SpaceTable.insert(tx, draft, name.pair())
        ? filled(tx, draft, new LinkedHashSet<>(List.of(name.one(), name.other())))
        : SpaceTable.findDm(tx, name).orElseThrow();
  }
}
