package dev.substrat.space;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.space.SpaceMessage.ToolCallStatus;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import java.time.InstantSource;
import java.util.List;

/// Posts calls of visible tools as messages in the agent's active space. They wake no agents and
/// cannot be replied to.
public final class ToolMessages {
  /// Enough to recognise the topic; the metadata has the complete text.
  private static final int MAX_EXCERPT_LENGTH = 300;

  private final EventLog events;
  private final InstantSource clock;

  ToolMessages(EventLog events, InstantSource clock) {
    this.events = events;
    this.clock = clock;
  }

  /// A call as a space shows it: `metadata` has `toolName`, `callId`, `input` and, once there is
  /// one, `output`.
  public record DisplayedCall(ToolCallStatus status, ObjectNode metadata, boolean isExecuting) {
    public DisplayedCall(ToolCallStatus status, ObjectNode metadata) {
      this(status, metadata, false);
    }

    private String text() {
      String call =
          metadata.path("toolName").asText() + " " + excerpt(Json.text(metadata.path("input")));
      return metadata.has("output")
          ? call + " → " + excerpt(Json.text(metadata.path("output")))
          : call;
    }

    private static String excerpt(String text) {
      return text.length() <= MAX_EXCERPT_LENGTH
          ? text
          : text.substring(0, MAX_EXCERPT_LENGTH) + "…";
    }
  }

  /// Posts it where the agent is; `space` was its active one a moment ago.
  public MessageId post(Tx tx, ToolCall call, String space, DisplayedCall shown) {
    ToolCaller caller = call.caller();
    SpaceMember author = SpaceMember.of(caller.agent());
    var chain = RunInputEvents.chainIn(tx, caller, space);
    var message =
        new SpaceMessage(
            MessageId.random(),
            space,
            SpaceTable.nextSeq(tx, space),
            author,
            MemberDirectory.handle(tx, author),
            shown.text(),
            null,
            SpaceMessage.SpaceMessageKind.TOOL,
            shown.status(),
            shown.metadata(),
            caller.run(),
            chain.depth() + 1,
            chain.cause(),
            null,
            null,
            clock.instant(),
            List.of());
    SpaceMessageTable.insert(tx, message, null);
    events.append(
        tx,
        SpaceMessages.created(SpaceTable.require(tx, space), message)
            .with("status", message.status().toString())
            .with("executing", shown.isExecuting() ? true : null)
            .with("callId", call.id()));
    return message.id();
  }

  /// Shows how a call came out that was shown before.
  public void update(Tx tx, MessageId id, ToolCallStatus status, ObjectNode output) {
    SpaceMessage message = SpaceMessageTable.find(tx, id).orElseThrow();
    ObjectNode metadata = message.metadata() == null ? Json.object() : message.metadata();
    metadata.set("output", output);
    var shown = new DisplayedCall(status, metadata);
    SpaceMessageTable.replace(tx, id, shown.text(), status, metadata);
    events.append(
        tx,
        Spaces.event("message_updated", SpaceTable.require(tx, message.space()), message.author())
            .with("message_id", id.value())
            .with("messageSeq", message.seq())
            .with("author", message.authorHandle())
            .with("text", shown.text())
            .with("messageKind", message.kind().toString())
            .with("status", status.toString()));
  }
}
