package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceMessages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tool `message_status`: delivery state of a message that the agent sent or received, or of a
/// message in a space.
record MessageStatusTool(Database database, Messages messages) {

  /// Id of a message that the agent can see.
  public record MessageStatusInput(
      @JsonProperty("message_id")
          @JsonPropertyDescription("Id of a message that you sent or received.")
          String messageId) {}

  /// Delivery status of a message and why it is stuck. `space`, `woken` and `replies` are set for a
  /// message in a space.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record MessageStatusResult(
      @JsonProperty("message_id") String messageId,
      String status,
      @Nullable String held,
      @Nullable String reason,
      String explanation,
      @Nullable MessageReply reply,
      @Nullable String space,
      @Nullable List<String> woken,
      @Nullable Long replies) {}

  /// The answer to the message.
  record MessageReply(@JsonProperty("message_id") String messageId, String text) {}

  Tool tool() {
    return SimpleTool.of(
        "message_status",
        ToolEffect.LOOKS,
        MessageStatusInput.class,
        MessageStatusResult.class,
        "Return the delivery state of a message or post, and its reply. Never poll it.",
        (call, input) -> status(call.caller().agent(), new MessageId(input.messageId())));
  }

  /// For a message that the agent cannot see, the error is the same as for a missing one.
  private MessageStatusResult status(Agent self, MessageId id) {
    String key = self.id().value();
    return messages
        .find(id)
        .filter(message -> message.sender().equals(key) || message.recipient().equals(key))
        .map(message -> mail(self, message))
        .or(() ->
            database
                .read(tx -> SpaceMessages.findPosted(tx, self, id))
                .map(posted -> posted(id, posted)))
        .orElseThrow(() ->
            ErrorCode.MESSAGE_NOT_FOUND.fault(
                "you neither sent nor received a message with this id",
                "use a message_id that send_message or check_inbox returned"));
  }

  private MessageStatusResult mail(Agent self, Message message) {
    Optional<Message> reply = messages.findReply(message.id());
    return new MessageStatusResult(
        message.id().value(),
        message.status().toString(),
        message.heldReason(),
        message.deadReason(),
        database.read(tx -> explanation(tx, self, message)),
        reply.map(one -> new MessageReply(one.id().value(), one.text())).orElse(null),
        null,
        null,
        null);
  }

  private static String explanation(Tx tx, Agent self, Message message) {
    boolean isOwn = message.recipient().equals(self.id().value());
    String who = isOwn ? "You" : AgentInspection.name(tx, message.recipient());
    String has = isOwn ? "have" : "has";
    if (message.heldReason() != null) {
      return "The message is held until a person releases it: " + message.heldReason() + ".";
    }
    return switch (message.status()) {
      case STORED -> "%s %s not seen it yet.".formatted(who, has);
      case CLAIMED -> "%s %s it in the current turn.".formatted(who, has);
      case INJECTED ->
          "%s %s seen it in the current turn%s."
              .formatted(who, has, message.sync() ? " and not answered yet" : "");
      case READ ->
          "%s %s read it%s.".formatted(who, has, message.sync() ? " and not answered yet" : "");
      case REPLIED -> "%s %s answered it.".formatted(who, has);
      case EXPIRED -> "%s did not answer in time.".formatted(who);
      case DEAD -> "It could not be delivered or answered: %s.".formatted(message.deadReason());
    };
  }

  private static MessageStatusResult posted(MessageId id, SpaceMessages.PostResult posted) {
    String wakes =
        posted.woken().isEmpty()
            ? "it wakes no agent"
            : "it wakes " + String.join(", ", posted.woken());
    String held =
        posted.heldReason() == null
            ? ""
            : ", but only after a person releases it: " + posted.heldReason();
    return new MessageStatusResult(
        id.value(),
        "posted",
        posted.heldReason(),
        null,
        "Posted in %s; %s%s.".formatted(posted.space(), wakes, held),
        null,
        posted.space(),
        posted.woken(),
        posted.replies());
  }
}
