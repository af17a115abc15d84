package dev.substrat.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.message.AgentMail.Letter;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.ToolReply;
import org.jspecify.annotations.Nullable;

/// The tool `send_message`, to an agent one hop away in the tree.
public final class SendMessage implements AddressForm {
  private static final Schema INPUT = Schema.ofRecord(Input.class);
  private static final Schema OUTPUT = Schema.ofResult(Sent.class);
  private static final String IN_A_TURN =
      "End your turn now; the reply will be your next message. Do not poll for it.";
  private static final String ELSEWHERE =
      "The reply comes to your inbox: when a result tells of unread mail, it is in check_inbox.";

  private final AgentMail mail;

  public SendMessage(AgentMail mail) {
    this.mail = mail;
  }

  /// The message to send.
  public record Input(
      @JsonPropertyDescription("Name of your parent, a child or a sibling.") String recipient,
      @JsonPropertyDescription("Text of the message.") String text,
      @JsonProperty(defaultValue = "true")
          @JsonPropertyDescription(
              "true: ask for a reply. false: do not ask for one. A message that answers a question"
                  + " never asks for a reply.")
          @Nullable Boolean sync,
      @JsonProperty("in_reply_to")
          @JsonPropertyDescription(
              "The message_id that this message answers. Default: the question you are answering, if"
                  + " the recipient sent it.")
          @Nullable String inReplyTo) {}

  /// The stored message; `answers` is the id of the message that it answered.
  record Sent(
      String status,
      @JsonProperty("message_id") String messageId,
      @JsonProperty("waiting_for_reply") boolean waitingForReply,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers) {}

  @Override
  public String name() {
    return "send_message";
  }

  @Override
  public String address() {
    return "recipient";
  }

  @Override
  public String description() {
    return """
    Sends a message to your parent, a child or a sibling. Use it to ask, answer or inform: your first
    message to the sender of the question you are answering is the answer. It returns at once; the reply
    to a question arrives as your next message, so never poll for it.\
    """;
  }

  @Override
  public Schema input() {
    return INPUT;
  }

  @Override
  public Schema output() {
    return OUTPUT;
  }

  @Override
  public Effect effect() {
    return Effect.DOES;
  }

  @Override
  public boolean isOneTransaction() {
    return true;
  }

  @Override
  public ToolReply call(Call call, ObjectNode arguments) {
    Input input = Json.as(arguments, Input.class);
    var inReplyTo = input.inReplyTo() == null ? null : new MessageId(input.inReplyTo());
    var letter = new Letter(input.recipient(), input.text(), input.sync(), inReplyTo);
    var sent = mail.send(call.caller(), letter, call.idempotencyKey());
    var done =
        ToolReply.Done.with(
            new Sent(
                "sent",
                sent.id().value(),
                sent.waiting(),
                sent.answers() == null ? null : sent.answers().value()));
    if (sent.heldReason() != null) {
      return done.withHint(
          "Held until a person releases it: " + sent.heldReason() + ". Do not send it again.");
    }
    if (sent.stopped() != null) {
      return done.withHint(
          "It waits there for now (" + sent.stopped() + "). Do not send it again.");
    }
    return sent.waiting()
        ? done.withHint(call.caller().isExternal() ? ELSEWHERE : IN_A_TURN)
        : done;
  }
}
