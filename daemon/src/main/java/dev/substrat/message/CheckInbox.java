package dev.substrat.message;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.inbox.Unclaimed;
import dev.substrat.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.tool.Call;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tool `check_inbox`: what has arrived and was not shown yet.
///
/// In a turn of ours, what it returns becomes part of the turn and is consumed with it. An agent
/// whose mind is elsewhere has no turns: [HandOuts].
public final class CheckInbox {
  private static final String DESCRIPTION =
      """
      Returns messages that have arrived and that you have not seen yet. Use it when a tool result says
      that something urgent is unread, or when you are told to fetch your mail. Whoever wrote an entry
      with `wants_answer` waits for you. Never call it in a loop to wait for a reply.\
      """;

  private final Database database;
  private final Delivery delivery;
  private final HandOuts handOuts;
  private final InstantSource clock;

  public CheckInbox(Database database, Delivery delivery, InstantSource clock) {
    this.database = database;
    this.delivery = delivery;
    this.handOuts = new HandOuts(database, delivery, clock);
    this.clock = clock;
  }

  /// Which messages; all if nothing is said.
  public record Input(
      @JsonPropertyDescription("Only from this agent.") @Nullable String sender,
      @JsonPropertyDescription("Only of this kind: message, broadcast, response, notice …")
          @Nullable String kind) {}

  public Tool tool() {
    return SimpleTool.changing("check_inbox", Input.class, DESCRIPTION, this::check);
  }

  private ToolReply check(Call call, Input input) {
    Caller caller = call.caller();
    List<ObjectNode> shown =
        database.transact(tx -> {
          Fence.require(tx, caller);
          List<InboxEvent> fresh =
              caller.isExternal()
                  ? handOuts.handOut(tx, call, event -> isWanted(event, input))
                  : take(tx, call, input);
          return fresh.stream().map(event -> entry(tx, event)).toList();
        });
    var messages = Json.object();
    messages.putArray("messages").addAll(shown);
    boolean waits =
        database.read(tx -> !PendingReplies.askedBy(tx, caller.agent().id().value()).isEmpty());
    var done = new ToolReply.Done(messages);
    return waits && !caller.isExternal()
        ? done.withHint("You wait for a reply: end your turn, it will be your next message.")
        : done;
  }

  private List<InboxEvent> take(Tx tx, Call call, Input input) {
    Caller caller = call.caller();
    var fresh =
        Unclaimed.list(tx, caller.agent().id(), clock.instant(), event -> isWanted(event, input));
    fresh.forEach(event -> Inbox.claim(tx, event, caller.turn()));
    delivery.fetched(tx, call, fresh);
    return fresh;
  }

  private static boolean isWanted(InboxEvent event, Input input) {
    String from = event.payload().path("from").asText();
    return (input.sender() == null || input.sender().equalsIgnoreCase(from))
        && (input.kind() == null || input.kind().equals(kind(event)));
  }

  private static ObjectNode entry(Tx tx, InboxEvent event) {
    var entry =
        Json.object()
            .put("from", event.payload().path("from").asText())
            .put("text", ReplyForm.text(event))
            .put("message_id", event.payload().path("message_id").asText(event.id()))
            .put("kind", kind(event));
    if (event.payload().hasNonNull("in_reply_to")) {
      entry.put("in_reply_to", event.payload().path("in_reply_to").asText());
    }
    MessageId message = event.message();
    if (message != null && PendingReplies.isAwaited(tx, message)) {
      entry.put("wants_answer", true);
    }
    return entry;
  }

  private static String kind(InboxEvent event) {
    return event.kind() == InboxEvent.Kind.REPLY ? "response" : event.kind().toString();
  }
}
