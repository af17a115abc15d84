package dev.substrat.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.SpaceInboxEvents;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.tool.Emoji;
import dev.substrat.space.wakeup.HeldMessages;
import dev.substrat.space.wakeup.SpaceWakeups;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Posts messages and reactions in spaces. Each operation is one transaction including its event;
/// those of agents are fenced by their turn.
public final class SpaceMessages {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final Spaces spaces;
  private final SpaceWakeups wakes;

  SpaceMessages(
      Database database, EventLog events, InstantSource clock, Spaces spaces, SpaceWakeups wakes) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.spaces = spaces;
    this.wakes = wakes;
  }

  /// A message to post; with a parent, a reply in its thread.
  public record PostRequest(String space, String text, @Nullable MessageId parent) {
    public PostRequest(String space, String text) {
      this(space, text, null);
    }
  }

  /// The author and its current turn.
  private record PostAuthor(
      SpaceMember member, @Nullable ToolCaller caller, int depth, @Nullable MessageId cause) {}

  /// Posts a message of an agent. A retried turn finds the message it posted before.
  public SpaceMessage post(Tx tx, ToolCall call, PostRequest post) {
    TurnFence.require(tx, call.caller());
    return post(tx, author(tx, call.caller(), post), post, call.idempotencyKey());
  }

  /// Posts a message at the end of a turn.
  SpaceMessage post(Tx tx, ToolCaller caller, PostRequest post) {
    return post(tx, author(tx, caller, post), post, null);
  }

  private static PostAuthor author(Tx tx, ToolCaller caller, PostRequest post) {
    var member = SpaceMember.of(caller.agent());
    String space = SpaceAccess.find(tx, post.space(), member).map(Space::id).orElse(post.space());
    var chain = RunInputEvents.chainIn(tx, caller, space);
    return new PostAuthor(member, caller, chain.depth() + 1, chain.cause());
  }

  /// The message that the agent posted before under this call's key.
  public Optional<SpaceMessage> findEarlier(Tx tx, ToolCall call, String text) {
    Optional<SpaceMessage> earlier =
        findEarlier(tx, SpaceMember.of(call.caller().agent()), call.idempotencyKey());
    if (earlier.isPresent() && !earlier.get().text().equals(text)) {
      throw usedForAnother();
    }
    return earlier;
  }

  /// Posts a message of a person.
  public SpaceMessage post(Principal person, PostRequest post, @Nullable String idempotencyKey) {
    var author = new PostAuthor(SpaceAccess.participant(person), null, 0, null);
    return database.transact(tx -> post(tx, author, post, idempotencyKey));
  }

  private SpaceMessage post(Tx tx, PostAuthor author, PostRequest post, @Nullable String key) {
    SpaceRules.requireText(post.text());
    Optional<SpaceMessage> earlier = findEarlier(tx, author.member(), key);
    if (earlier.isPresent()) {
      return earlier
          .filter(said -> isSaidAgainBy(tx, said, author.member(), post))
          .orElseThrow(SpaceMessages::usedForAnother);
    }
    return postNew(tx, author, post, key);
  }

  private SpaceMessage postNew(Tx tx, PostAuthor author, PostRequest post, @Nullable String key) {
    Space space = spaces.requireForWriting(tx, post.space(), author.member());
    requireIn(tx, space, author.member());
    requireParent(tx, space, post.parent());
    SpaceMessage message = draft(tx, space, author, post);
    SpaceMessageTable.insert(tx, message, key);
    events.append(tx, created(space, message));
    if (author.caller() != null) {
      TurnSpaceTable.answered(tx, author.caller(), space.id());
    }
    // Read again: the row is locked from now on.
    wakes.wake(tx, SpaceTable.require(tx, space.id()), message);
    return SpaceMessageTable.find(tx, message.id()).orElseThrow();
  }

  private static Optional<SpaceMessage> findEarlier(
      Tx tx, SpaceMember author, @Nullable String key) {
    return key == null ? Optional.empty() : SpaceMessageTable.findByKey(tx, author, key);
  }

  /// Whether `post` repeats the stored message. A DM has more than one id, and the author may have
  /// left the space since.
  private static boolean isSaidAgainBy(
      Tx tx, SpaceMessage said, SpaceMember author, PostRequest post) {
    String space = SpaceAccess.find(tx, post.space(), author).map(Space::id).orElse(post.space());
    return said.text().equals(post.text())
        && said.space().equals(space)
        && Objects.equals(said.parent(), post.parent());
  }

  private static Fault usedForAnother() {
    return ErrorCode.CONFLICT.fault(
        "this idempotency key was used for another message", "use a new key for each message");
  }

  /// An author joins a public space by posting, and the operator joins every space except the DM of
  /// two others. All others must be members; this is checked after the space is locked.
  private void requireIn(Tx tx, Space space, SpaceMember author) {
    boolean mayJoin =
        space.kind() == Space.SpaceKind.PUBLIC
            || (author.administers() && space.kind() == Space.SpaceKind.PRIVATE);
    if (mayJoin) {
      spaces.join(tx, space, author);
    } else {
      SpaceTable.lock(tx, space.id());
      SpaceAccess.requireMember(tx, space, author);
    }
  }

  private static void requireParent(Tx tx, Space space, @Nullable MessageId parent) {
    if (parent == null) {
      return;
    }
    SpaceMessage found =
        SpaceMessageTable.find(tx, parent)
            .filter(message -> message.space().equals(space.id()))
            .orElseThrow(() -> notFound(parent));
    if (found.kind() != SpaceMessage.SpaceMessageKind.MESSAGE) {
      throw ErrorCode.CONFLICT.fault(
          "a " + found.kind() + " message cannot be replied to",
          "post the message without a parent");
    }
  }

  private SpaceMessage draft(Tx tx, Space space, PostAuthor author, PostRequest post) {
    @Nullable ToolCaller caller = author.caller();
    return new SpaceMessage(
        MessageId.random(),
        space.id(),
        SpaceTable.nextSeq(tx, space.id()),
        author.member(),
        MemberDirectory.handle(tx, author.member()),
        post.text(),
        post.parent(),
        SpaceMessage.SpaceMessageKind.MESSAGE,
        SpaceMessage.ToolCallStatus.COMPLETE,
        null,
        caller == null ? null : caller.run(),
        author.depth(),
        author.cause(),
        caller == null
            ? null
            : SpaceInboxEvents.findRound(tx, caller.agent().id(), caller.turn(), space.id())
                .orElse(null),
        null,
        clock.instant(),
        List.of());
  }

  public static NewEvent created(Space space, SpaceMessage message) {
    var event =
        Spaces.event("message_created", space, message.author())
            .with("message_id", message.id().value())
            .with("messageSeq", message.seq())
            .with("author", message.authorHandle())
            .with("text", message.text())
            .with("messageKind", message.kind().toString())
            .with("parentId", message.parent() == null ? null : message.parent().value());
    return message.run() == null ? event : event.during(message.run().value());
  }

  /// An agent reacts; again is the same.
  public void react(ToolCall call, MessageId message, String emoji) {
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      if (RepeatedCalls.isFirst(tx, call, "react", clock.instant())) {
        SpaceMember agent = SpaceMember.of(call.caller().agent());
        react(tx, agent, message, emoji);
        TurnSpaceTable.answered(tx, call.caller(), require(tx, agent, message).space());
      }
      return true;
    });
  }

  /// A person reacts; again is the same, and false.
  public boolean react(Principal person, MessageId message, String emoji) {
    return database.transact(tx -> react(tx, SpaceAccess.participant(person), message, emoji));
  }

  private boolean react(Tx tx, SpaceMember who, MessageId id, String text) {
    SpaceMessage message = require(tx, who, id);
    String emoji = Emoji.require(text);
    boolean isNew = SpaceMessageTable.react(tx, id, who, emoji, clock.instant());
    if (isNew) {
      recordReaction(tx, "reaction_added", message, who, emoji);
    }
    return isNew;
  }

  /// Removes a reaction; false if there is none.
  public boolean unreact(Principal person, MessageId id, String text) {
    SpaceMember who = SpaceAccess.participant(person);
    // Older reactions may be other texts.
    String emoji = Emoji.find(text).orElse(text);
    return database.transact(tx -> {
      SpaceMessage message = require(tx, who, id);
      boolean wasThere = SpaceMessageTable.unreact(tx, id, who, emoji);
      if (wasThere) {
        recordReaction(tx, "reaction_removed", message, who, emoji);
      }
      return wasThere;
    });
  }

  private void recordReaction(
      Tx tx, String kind, SpaceMessage message, SpaceMember who, String emoji) {
    events.append(
        tx,
        Spaces.event(kind, SpaceTable.require(tx, message.space()), who)
            .with("message_id", message.id().value())
            .with("author", MemberDirectory.handle(tx, who))
            .with("emoji", emoji));
  }

  public SpaceMessage require(Principal who, MessageId id) {
    return database.read(tx -> require(tx, SpaceAccess.reader(who), id));
  }

  /// For a message that the caller cannot see, the error is the same as for a missing one.
  public static SpaceMessage require(Tx tx, SpaceMember who, MessageId id) {
    return find(tx, who, id).orElseThrow(() -> notFound(id));
  }

  /// Empty if `who` cannot see such a message.
  public static Optional<SpaceMessage> find(Tx tx, SpaceMember who, MessageId id) {
    return SpaceMessageTable.find(tx, id)
        .filter(message -> SpaceAccess.find(tx, message.space(), who).isPresent());
  }

  /// Whether `id` names a message in a space that the agent sees.
  public boolean isOfSpace(ToolCaller caller, JsonNode id) {
    SpaceMember agent = SpaceMember.of(caller.agent());
    return id.isTextual()
        && database.read(tx -> find(tx, agent, new MessageId(id.asText())).isPresent());
  }

  /// A message in a space, as its author wants to know about it: which agents it wakes, why they
  /// are not woken yet, and how many answers its thread has.
  public record PostResult(
      String space, List<String> woken, @Nullable String heldReason, long replies) {}

  /// Empty if the agent sees no such message.
  public static Optional<PostResult> findPosted(Tx tx, Agent agent, MessageId id) {
    return find(tx, SpaceMember.of(agent), id)
        .map(message ->
            new PostResult(
                message.space(),
                SpaceMessageTable.woken(tx, id),
                HeldMessages.find(tx, id).map(HeldMessages.HeldMessage::reason).orElse(null),
                SpaceMessageTable.countReplies(tx, id)));
  }

  private static Fault notFound(MessageId id) {
    return ErrorCode.MESSAGE_NOT_FOUND.fault("message " + id + " not found here", "check the id");
  }
}
