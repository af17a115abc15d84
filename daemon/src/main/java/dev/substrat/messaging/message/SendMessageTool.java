package dev.substrat.messaging.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.AgentMessages.MessageRequest;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tool `send_message`: sends a message to a neighbour in the tree.
public final class SendMessageTool implements AddressForm {
  private static final JsonSchema INPUT = JsonSchema.ofRecord(SendMessageInput.class);
  private static final JsonSchema ADDRESSED = JsonSchema.ofRecord(AddressedMessageInput.class);
  private static final String IN_REPLY_TO = "in_reply_to";
  private static final JsonSchema OUTPUT = JsonSchema.ofResult(SendMessageResult.class);
  private static final String TURN_HINT =
      "End your turn now; the reply starts your next turn. Do not poll for it.";
  private static final String EXTERNAL_HINT =
      "The reply will be in check_inbox. Call it when a result says that something is unread.";

  private final AgentMessages messages;

  public SendMessageTool(AgentMessages messages) {
    this.messages = messages;
  }

  /// The message to send.
  public record SendMessageInput(
      @JsonPropertyDescription(
              "Name of your parent, a child or a sibling, or `operator`: the person you work for."
                  + " If you have a parent, you can answer the operator but not write"
                  + " first.[[spaces| #ID posts to the space ID.]]")
          String recipient,
      @JsonPropertyDescription("Text of the message.") String text,
      @JsonProperty(defaultValue = "true")
          @JsonPropertyDescription(
              "true: you expect a reply. false: you do not. An answer never expects one.")
          @Nullable Boolean sync,
      @JsonProperty("in_reply_to")
          @JsonPropertyDescription(
              "Message to answer (message_id). Default: [[turn|the question you are"
                  + " answering, if the recipient sent it]][[external|the recipient's oldest"
                  + " question that you read]].")
          @Nullable String inReplyTo) {}

  /// The same with a recipient that may follow from the message it answers.
  record AddressedMessageInput(
      @Nullable String recipient,
      String text,
      @Nullable Boolean sync,
      @JsonProperty(IN_REPLY_TO) @Nullable String inReplyTo) {}

  /// The stored message. `answers` is the id of the message that it answered, `waitingForYou` who
  /// waits for an answer of the sender.
  record SendMessageResult(
      String status,
      @JsonProperty("message_id") String messageId,
      @JsonProperty("waiting_for_reply") boolean waitingForReply,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  @Override
  public String address() {
    return "recipient";
  }

  /// A message that names the one it answers needs no recipient.
  @Override
  public JsonSchema accepted() {
    return ADDRESSED;
  }

  @Override
  public boolean isMeant(ToolCall call, ObjectNode arguments) {
    return !arguments.has(address())
        && arguments.path(IN_REPLY_TO).isTextual()
        && messages
            .findOther(call.caller(), new MessageId(arguments.path(IN_REPLY_TO).asText()))
            .isPresent();
  }

  @Override
  public void requireAddress(ToolCall call) {
    messages.requireNoQuestion(call.caller());
  }

  @Override
  public String description() {
    return """
    Send a message to an agent or the operator: to ask, answer or inform. [[turn|Your first message to the
    sender of the question you are answering is the answer. After you ask, end your turn; the reply starts your next turn.]][[external|To answer, use in_reply_to. The reply to a question will be in check_inbox.]]\
    """;
  }

  @Override
  public JsonSchema input() {
    return INPUT;
  }

  @Override
  public JsonSchema output() {
    return OUTPUT;
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    AddressedMessageInput input = Json.as(arguments, AddressedMessageInput.class);
    var inReplyTo = input.inReplyTo() == null ? null : new MessageId(input.inReplyTo());
    String recipient = input.recipient();
    if (recipient == null) {
      recipient =
          messages.findOther(call.caller(), Objects.requireNonNull(inReplyTo)).orElseThrow();
    }
    var text = new MessageRequest(recipient, input.text(), input.sync(), inReplyTo);
    var sent = messages.send(call.caller(), text, call.idempotencyKey());
    var done =
        ToolResult.Done.with(
            new SendMessageResult(
                "sent",
                sent.id().value(),
                sent.waiting(),
                sent.answers() == null ? null : sent.answers().value(),
                sent.waitingForYou(),
                null));
    if (sent.heldReason() != null) {
      return done.saying(
          "The message is held until a person releases it: "
              + sent.heldReason()
              + ". Do not send it again.");
    }
    if (sent.stopped() != null) {
      return done.saying(
          "The message stays in the recipient's inbox for now ("
              + sent.stopped()
              + "). Do not send it again.");
    }
    return sent.waiting()
        ? done.saying(call.caller().isExternal() ? EXTERNAL_HINT : TURN_HINT)
        : done;
  }
}
