package dev.substrat.space;

import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Spaces come to be, and people and agents come and go in them. Each verb is one transaction with
/// the event that tells of it.
public final class Spaces {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  public Spaces(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// What is said in them.
  public SpaceMessages messages() {
    return new SpaceMessages(database, events, clock, this);
  }

  /// What was said in them.
  public SpaceHistory history() {
    return new SpaceHistory(database, events);
  }

  /// What somebody wants a space to be like. Without an id it gets one from its name; members are
  /// named by id, handle or key.
  public record Wish(
      @Nullable String id,
      String name,
      Space.Kind kind,
      @Nullable String topic,
      Space.@Nullable WakePolicy wakePolicy,
      @Nullable Integer maxChainDepth,
      List<String> members) {

    public Wish {
      members = List.copyOf(members);
    }
  }

  /// Whoever creates a space is in it; only the operator, who sees all of them, need not be.
  public Space create(Member creator, Wish wish) {
    SpaceRules.require(wish);
    return database.transact(tx -> {
      var members = new LinkedHashSet<Member>();
      wish.members().forEach(one -> members.add(Directory.require(tx, one)));
      boolean isMissing = wish.kind() == Space.Kind.DM && members.size() == 1;
      if (!creator.isOperator() || isMissing) {
        members.add(creator);
      }
      return wish.kind() == Space.Kind.DM
          ? createDm(tx, creator, wish, members)
          : create(tx, draft(creator, wish, SpaceRules.id(wish)), null, members);
    });
  }

  private Space createDm(Tx tx, Member creator, Wish wish, SequencedSet<Member> members) {
    if (members.size() != 2) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "a dm is between exactly two, not " + members.size(),
          "name two members, or make it a private space");
    }
    var name = new DmName(members.getFirst(), members.getLast());
    if (SpaceTable.findDm(tx, name).isPresent()) {
      throw taken(name.id(tx));
    }
    return create(tx, draft(creator, wish, freeId(tx, name)), name.pair(), members);
  }

  /// Handles have dashes, so that another pair may have this one's id.
  private static String freeId(Tx tx, DmName name) {
    String wanted = name.id(tx);
    String id = wanted;
    for (int suffix = 2; SpaceTable.find(tx, id).isPresent(); suffix++) {
      id = wanted + "-" + suffix;
    }
    return id;
  }

  private Space draft(Member creator, Wish wish, String id) {
    return new Space(
        id,
        wish.name(),
        wish.kind(),
        wish.topic() == null ? "" : wish.topic(),
        wish.wakePolicy() == null ? wish.kind().policy() : wish.wakePolicy(),
        wish.maxChainDepth(),
        0,
        false,
        null,
        creator,
        clock.instant());
  }

  private Space create(Tx tx, Space space, @Nullable String pair, SequencedSet<Member> members) {
    if (!SpaceTable.insert(tx, space, pair)) {
      throw taken(space.id());
    }
    return filled(tx, space, members);
  }

  private Space filled(Tx tx, Space space, SequencedSet<Member> members) {
    members.forEach(member -> MemberTable.add(tx, space.id(), member, clock.instant()));
    events.append(
        tx,
        told("space_created", space, space.createdBy())
            .with("name", space.name())
            .with("spaceKind", space.kind().toString())
            .with("topic", space.topic())
            .with("wakePolicy", space.wakePolicy().toString())
            .with("members", members.stream().map(one -> Directory.handle(tx, one)).toList()));
    return SpaceTable.require(tx, space.id());
  }

  private static Fault taken(String id) {
    return new Fault(
        ErrorCode.CONFLICT, "there is a space " + id + " already", "use it, or choose another id");
  }

  /// The space somebody writes to. A DM that does not exist comes to be, if they are one of the two
  /// and the other one is there.
  Space requireForWriting(Tx tx, String id, Member who) {
    return Access.find(tx, id, who)
        .or(() -> openDm(tx, id, who))
        .orElseThrow(() -> Access.notFound(tx, id, who));
  }

  private Optional<Space> openDm(Tx tx, String id, Member who) {
    return DmName.read(tx, id).stream()
        .filter(name -> name.isOf(who))
        .filter(name -> Directory.isThere(tx, name.one()) && Directory.isThere(tx, name.other()))
        .findFirst()
        .map(name -> openDm(tx, name, who));
  }

  private Space openDm(Tx tx, DmName name, Member who) {
    var wish = new Wish(null, name.id(tx), Space.Kind.DM, null, null, null, List.of());
    Space draft = draft(who, wish, freeId(tx, name));
    // The other one may have written at the same moment.
    return SpaceTable.insert(tx, draft, name.pair())
        ? filled(tx, draft, new LinkedHashSet<>(List.of(name.one(), name.other())))
        : SpaceTable.findDm(tx, name).orElseThrow();
  }

  public Space require(Member who, String id) {
    return database.read(tx -> Access.require(tx, id, who));
  }

  /// What somebody can see, by id.
  public List<Space> list(Member who) {
    return database.read(
        tx -> who.isOperator() ? SpaceTable.all(tx) : SpaceTable.visibleTo(tx, who));
  }

  /// What somebody is in, by id.
  public List<Space> of(Member member) {
    return database.read(tx -> SpaceTable.of(tx, member));
  }

  public List<Membership> members(Member who, String id) {
    return database.read(tx -> MemberTable.of(tx, Access.require(tx, id, who).id()));
  }

  /// Brings somebody in; whoever is there already stays. A public space takes everyone, into a
  /// private one its members bring others.
  public void add(Member who, String id, String newcomer) {
    database.transact(tx -> {
      Space space = Access.require(tx, id, who);
      requireRoom(space);
      join(tx, space, Directory.require(tx, newcomer));
      return true;
    });
  }

  /// Takes somebody out, perhaps oneself.
  public void remove(Member who, String id, String leaver) {
    database.transact(tx -> {
      Space space = Access.require(tx, id, who);
      requireRoom(space);
      Member member = Directory.require(tx, leaver);
      if (!leave(tx, space, member)) {
        throw Access.notAMember(tx, space, member);
      }
      return true;
    });
  }

  private static void requireRoom(Space space) {
    if (space.kind() == Space.Kind.DM) {
      throw new Fault(
          ErrorCode.CONFLICT,
          space.id() + " is between two, always the same",
          "make a private space for more");
    }
  }

  /// False if they were there already.
  boolean join(Tx tx, Space space, Member member) {
    SpaceTable.hold(tx, space.id());
    boolean isNew = MemberTable.add(tx, space.id(), member, clock.instant());
    if (isNew) {
      events.append(
          tx, told("member_joined", space, member).with("member", Directory.handle(tx, member)));
    }
    return isNew;
  }

  boolean leave(Tx tx, Space space, Member member) {
    boolean wasThere = MemberTable.remove(tx, space.id(), member);
    if (wasThere) {
      ActiveSpace.clear(tx, space.id(), member);
      events.append(
          tx, told("member_left", space, member).with("member", Directory.handle(tx, member)));
    }
    return wasThere;
  }

  public Space changeTopic(Member who, String id, String topic) {
    SpaceRules.requireTopic(topic);
    return database.transact(tx -> {
      Space space = Access.require(tx, id, who);
      if (!who.isOperator()) {
        Access.requireMember(tx, space, who);
      }
      if (SpaceTable.topic(tx, space.id(), topic)) {
        events.append(tx, told("topic_changed", space, who).with("topic", topic));
      }
      return SpaceTable.require(tx, space.id());
    });
  }

  /// An event in a space, about somebody.
  static NewEvent told(String kind, Space space, Member member) {
    return NewEvent.of(kind).about(member.key()).in(space.id()).with("space", space.id());
  }
}
