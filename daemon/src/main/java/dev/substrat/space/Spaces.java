package dev.substrat.space;

import dev.substrat.messaging.inbox.SpaceInboxEvents;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.wakeup.SequentialRounds;
import dev.substrat.space.wakeup.SpaceGuards;
import dev.substrat.space.wakeup.SpaceWakeups;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolCaller;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Creates and changes spaces and their memberships. Each operation is one transaction including
/// its event, and refuses a principal that may not do it ([SpaceAccess]).
public final class Spaces {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final SpaceCreation founding;
  private final SequentialRounds rounds;
  private final SpaceWakeups wakes;

  public Spaces(Database database, EventLog events, InstantSource clock, SpaceGuardLimits limits) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.founding = new SpaceCreation(events, clock);
    this.rounds = new SequentialRounds(events, clock, limits.timeout());
    this.wakes = new SpaceWakeups(new SpaceGuards(limits, events, clock), rounds, events);
  }

  /// Messages in spaces.
  public SpaceMessages messages() {
    return new SpaceMessages(database, events, clock, this, wakes);
  }

  /// Messages about tool calls in spaces.
  public ToolMessages toolMessages() {
    return new ToolMessages(events, clock);
  }

  /// Reads messages of spaces.
  public SpaceHistory history() {
    return new SpaceHistory(database, events);
  }

  /// The same, for turns.
  public SpaceTurns turns() {
    return new SpaceTurns(
        database, rounds, history(), this, new FinalTextPosting(events, messages()));
  }

  /// A requested space. Without an id it gets one derived from its name; members are given by id,
  /// handle or key.
  public record SpaceDefinition(
      @Nullable String id,
      String name,
      Space.SpaceKind kind,
      @Nullable String topic,
      Space.@Nullable WakePolicy wakePolicy,
      @Nullable Integer maxChainDepth,
      List<String> members) {

    public SpaceDefinition {
      members = List.copyOf(members);
    }

    /// A space with the defaults of its kind.
    public static SpaceDefinition of(String name, Space.SpaceKind kind, List<String> members) {
      return new SpaceDefinition(null, name, kind, null, null, null, members);
    }
  }

  /// The creator becomes a member, except the operator, who sees all spaces.
  public Space create(Principal who, SpaceDefinition request) {
    CallerPermissions.requireRole(who, Scope.SPACES_WRITE);
    SpaceRules.require(request);
    return database.transact(tx -> founding.create(tx, SpaceMember.of(who), request));
  }

  /// Validates like `create`, except for the members: they may have to be created first.
  public void validate(Principal who, SpaceDefinition request) {
    CallerPermissions.requireRole(who, Scope.SPACES_WRITE);
    SpaceRules.require(request);
    database.read(tx -> {
      founding.validate(tx, request);
      return true;
    });
  }

  /// The space to post in. A missing DM is created if the caller is one of its two members and the
  /// other one exists.
  Space requireForWriting(Tx tx, String id, SpaceMember who) {
    return SpaceAccess.find(tx, id, who)
        .or(() -> founding.openDm(tx, id, who))
        .orElseThrow(() -> SpaceAccess.notFound(tx, id, who));
  }

  public Space require(Principal who, String id) {
    return database.read(tx -> SpaceAccess.require(tx, id, who));
  }

  /// The spaces that a member can see, by id.
  public List<Space> list(Principal who) {
    return database.read(tx -> SpaceTable.seenBy(tx, SpaceAccess.reader(who)));
  }

  /// A space, and how many are in it.
  public record SpaceWithMemberCount(Space space, int memberCount) {}

  /// Up to `limit` visible spaces after space `after` ("" for the first).
  public List<SpaceWithMemberCount> list(Principal who, String after, int limit) {
    return database.read(tx -> SpaceTable.seenBy(tx, SpaceAccess.reader(who), after, limit));
  }

  public List<Membership> members(Principal who, String id) {
    return database.read(tx -> MemberTable.of(tx, SpaceAccess.require(tx, id, who).id()));
  }

  /// Adds a member; existing members stay. A principal may join a space that it sees, and add
  /// others to its own spaces; an operator may add all to all.
  public void add(Principal who, String id, String newcomer) {
    database.transact(tx -> {
      Space space =
          newcomer.equals(who.key())
              ? SpaceAccess.requireForPosting(tx, id, who)
              : SpaceAccess.requireForChange(tx, id, who);
      requireRoom(space);
      join(tx, space, MemberDirectory.require(tx, newcomer, SpaceMember.of(who)));
      return true;
    });
  }

  /// Removes a member: the principal itself or, by an operator, another one.
  public void remove(Principal who, String id, String leaver) {
    database.transact(tx -> {
      Space space = SpaceAccess.requireForPosting(tx, id, who);
      if (!who.isOperator() && !leaver.equals(who.key())) {
        throw ErrorCode.FORBIDDEN.fault(
            "only an operator can remove other members",
            "leave the space yourself, or ask an operator");
      }
      requireRoom(space);
      SpaceMember member = MemberDirectory.require(tx, leaver, SpaceMember.of(who));
      if (!leave(tx, space, member)) {
        throw ErrorCode.NOT_A_MEMBER.fault(
            "%s is not a member of %s".formatted(MemberDirectory.handle(tx, member), space.id()),
            "nothing to remove");
      }
      return true;
    });
  }

  private static void requireRoom(Space space) {
    if (space.kind() == Space.SpaceKind.DM) {
      throw ErrorCode.CONFLICT.fault(
          space.id() + " is a DM, its two members cannot change",
          "create a private space for more members");
    }
  }

  /// False if they were there already.
  public boolean join(Tx tx, Space space, SpaceMember member) {
    SpaceTable.lock(tx, space.id());
    boolean isNew = MemberTable.add(tx, space.id(), member, clock.instant());
    if (isNew) {
      events.append(
          tx,
          event("member_joined", space, member).with("member", MemberDirectory.handle(tx, member)));
    }
    return isNew;
  }

  boolean leave(Tx tx, Space space, SpaceMember member) {
    // First the agent, then the space: all transactions lock in this order.
    ActiveSpace.clear(tx, space.id(), member);
    SpaceTable.lock(tx, space.id());
    ActiveSpace.clearTurns(tx, space.id(), member);
    boolean wasThere = MemberTable.remove(tx, space.id(), member);
    if (wasThere) {
      SpaceInboxEvents.withdraw(tx, member.agent(), space.id());
      rounds.removeMember(tx, member.agent(), Optional.of(space.id()));
      events.append(
          tx,
          event("member_left", space, member).with("member", MemberDirectory.handle(tx, member)));
    }
    return wasThere;
  }

  /// The agent is there now.
  public void enter(Tx tx, ToolCaller caller, Space space) {
    if (ActiveSpace.enter(tx, caller, space.id())) {
      Agent agent = caller.agent();
      events.append(
          tx, event("space_entered", space, SpaceMember.of(agent)).with("agent", agent.handle()));
    }
  }

  /// The agent is nowhere now.
  public void leaveActive(Tx tx, ToolCaller caller) {
    Optional<Space> active = ActiveSpace.find(tx, caller).flatMap(id -> SpaceTable.find(tx, id));
    if (ActiveSpace.leave(tx, caller) && active.isPresent()) {
      Agent agent = caller.agent();
      events.append(
          tx,
          event("space_left", active.get(), SpaceMember.of(agent)).with("agent", agent.handle()));
    }
  }

  /// Changes name and topic, by an operator or a member. Only an operator changes wake policy and
  /// chain depth.
  public Space change(Principal who, String id, SpaceChange wanted) {
    SpaceRules.require(wanted);
    return database.transact(tx -> change(tx, who, id, wanted));
  }

  /// Refuses what `change` would refuse, and changes nothing.
  public void validate(Principal who, String id, SpaceChange wanted) {
    SpaceRules.require(wanted);
    database.dryRun(tx -> change(tx, who, id, wanted));
  }

  private Space change(Tx tx, Principal who, String id, SpaceChange wanted) {
    Space found = SpaceAccess.requireForChange(tx, id, who);
    SpaceTable.lock(tx, found.id());
    Space before = SpaceTable.require(tx, found.id());
    Space after = wanted.of(before);
    List<String> changed = SpaceChange.between(before, after);
    if (!who.isOperator()) {
      SpaceRules.requireNoGuard(changed);
    }
    if (!changed.isEmpty()) {
      SpaceTable.change(tx, after);
      events.append(
          tx,
          event("space_changed", after, SpaceMember.of(who))
              .with("changed", changed)
              .with("name", after.name())
              .with("topic", after.topic())
              .with("wakePolicy", after.wakePolicy().toString())
              .with("maxChainDepth", after.maxChainDepth()));
    }
    return after;
  }

  /// Number of held messages, and the reason of the last one.
  public record HeldWakeups(long held, @Nullable String reason, boolean isBreakerOpen) {}

  public HeldWakeups heldState(Principal who, String id) {
    return database.read(tx -> {
      Space space = SpaceAccess.require(tx, id, who);
      return new HeldWakeups(
          SpaceTable.held(tx, space.id()), space.heldReason(), space.isBreakerOpen());
    });
  }

  /// A space where agents are not woken until a person has spoken: how many wakes are held, and
  /// why.
  public record BlockedSpace(String id, String name, long held, String reason) {}

  public List<BlockedSpace> stopped() {
    return database.read(SpaceTable::stopped);
  }

  /// Releases all messages held in a space, for an operator or a member; returns their number.
  public int release(Principal who, String id) {
    return database.transact(tx -> {
      Space space = SpaceAccess.requireForChange(tx, id, who);
      SpaceTable.lock(tx, space.id());
      return wakes.release(tx, SpaceTable.require(tx, space.id()));
    });
  }

  /// Handles of agents in a space with a running turn because of it, or in it.
  public List<String> typing(Principal who, String id) {
    return database.read(tx -> MemberTable.busyHandles(tx, SpaceAccess.require(tx, id, who).id()));
  }

  /// An event about a member in a space.
  public static NewEvent event(String kind, Space space, SpaceMember member) {
    var event = NewEvent.of(kind).in(space.id()).with("space", space.id());
    return member.equals(SpaceMember.SUBSTRAT) ? event : event.about(member.key());
  }
}
