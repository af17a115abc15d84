package dev.substrat.messaging.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.messaging.inbox.HeldEventSource;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.UnclaimedEvents;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.AllowedValues;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.TurnFence;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tool `check_inbox`: returns inbox events that were not shown yet.
///
/// In a turn, what it returns becomes part of the turn and is consumed with it. For external
/// agents, which have no turns, see [ExternalInboxReads].
public final class CheckInboxTool {
  private static final String DESCRIPTION =
      """
      Return messages, replies and results that you have not seen. [[turn|Call it when a tool result says that
      something urgent is unread, never to wait for a reply. An entry with `own_turn` gets its own turn
      later.]][[external|Call it when you begin and when a tool result says that something is unread; never in a
      loop.]] The sender of an entry with `wants_answer` waits for your answer.\
      """;

  private final Database database;
  private final TurnDelivery delivery;
  private final ExternalInboxReads handOuts;
  private final HeldEventSource held;
  private final InstantSource clock;

  public CheckInboxTool(
      Database database, TurnDelivery delivery, HeldEventSource held, InstantSource clock) {
    this.database = database;
    this.delivery = delivery;
    this.held = held;
    this.handOuts = new ExternalInboxReads(database, delivery, clock);
    this.clock = clock;
  }

  /// Filter; default: all messages.
  public record CheckInboxInput(
      @JsonPropertyDescription("Only from this sender.") @Nullable String sender,
      @AllowedValues({
            "message",
            "reply",
            "broadcast",
            "space_message",
            "tool_result",
            "reminder",
            "plan",
            "service",
            "notice",
            "start",
            "response"
          })
          @JsonPropertyDescription("Only of this kind. `response` means `reply`.")
          @Nullable String kind) {}

  /// Unread events, and askers that wait for an answer of the agent, including those of questions
  /// shown before.
  record CheckInboxResult(
      List<InboxEntry> messages,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  /// One message or other event. `space` is the space of a space message, `wantsAnswer` is true if
  /// the sender waits for an answer, `ownTurn` if the event starts a turn of its own later.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record InboxEntry(
      String from,
      String text,
      @JsonProperty("message_id") String messageId,
      String kind,
      @JsonProperty("in_reply_to") @Nullable String inReplyTo,
      @Nullable String space,
      @JsonProperty("wants_answer") @Nullable Boolean wantsAnswer,
      @JsonProperty("own_turn") @Nullable Boolean ownTurn) {}

  /// Returned events count as read, so the call is not idempotent.
  public Tool tool() {
    return SimpleTool.answering(
            "check_inbox",
            ToolEffect.DOES,
            CheckInboxInput.class,
            CheckInboxResult.class,
            DESCRIPTION,
            this::check)
        .inOneTransaction();
  }

  private ToolResult check(ToolCall call, CheckInboxInput input) {
    ToolCaller caller = call.caller();
    CheckInboxResult unread =
        database.transact(tx -> {
          TurnFence.require(tx, caller);
          held.moveToInbox(tx, caller.agent().id());
          List<InboxEntry> shown =
              caller.isExternal()
                  ? handOuts.handOut(tx, call, event -> isWanted(event, input)).stream()
                      .map(event -> entry(tx, event, false))
                      .toList()
                  : take(tx, call, input);
          return new CheckInboxResult(
              shown, OpenQuestions.waitingFor(tx, caller.agent().id()), null);
        });
    boolean waits =
        database.read(tx -> !PendingReplies.askedBy(tx, caller.agent().id().value()).isEmpty());
    var done = ToolResult.Done.with(unread);
    return waits && !caller.isExternal()
        ? done.saying(
            "You are waiting for a reply. End your turn now; the reply starts your next turn.")
        : done;
  }

  /// Events without a subject, and those of the turn's own subject, become part of the turn and
  /// come first. All others are shown and stay for a turn about their subject.
  private List<InboxEntry> take(Tx tx, ToolCall call, CheckInboxInput input) {
    ToolCaller caller = call.caller();
    @Nullable String subject = RunInputEvents.chain(tx, caller).subject();
    var due =
        new UnclaimedEvents.UnclaimedEventQuery(
            caller.agent().id(), clock.instant(), event -> isWanted(event, input));
    List<InboxEvent> taken = due.ofSubject(tx, subject);
    List<InboxEvent> others = due.ofOthers(tx, subject, UnclaimedEvents.AT_ONCE - taken.size());
    taken.forEach(event -> Inbox.claim(tx, event, caller.turn()));
    delivery.fetched(tx, call, taken);
    others.forEach(event -> delivery.seen(tx, call, event));
    return Stream.concat(
            taken.stream().map(event -> entry(tx, event, false)),
            others.stream().map(event -> entry(tx, event, true)))
        .toList();
  }

  private static boolean isWanted(InboxEvent event, CheckInboxInput input) {
    String from = event.payload().path("from").asText();
    return (input.sender() == null || input.sender().equalsIgnoreCase(from))
        && (input.kind() == null || kind(input.kind()).equals(event.kind().toString()));
  }

  /// Earlier versions called replies responses.
  private static String kind(String wanted) {
    return wanted.equals("response") ? InboxEvent.InboxEventKind.REPLY.toString() : wanted;
  }

  private static InboxEntry entry(Tx tx, InboxEvent event, boolean hasOwnTurn) {
    MessageId message = event.message();
    boolean isAwaited = message != null && PendingReplies.isAwaited(tx, message);
    return new InboxEntry(
        event.payload().path("from").asText(),
        InboxEventFormatter.text(event),
        event.payload().path("message_id").asText(event.id()),
        event.kind().toString(),
        event.payload().path("in_reply_to").textValue(),
        event.payload().path("space").textValue(),
        isAwaited ? true : null,
        hasOwnTurn ? true : null);
  }
}
