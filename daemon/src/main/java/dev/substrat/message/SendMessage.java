package dev.substrat.message;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;
import org.jspecify.annotations.Nullable;

/// The tool `send_message`.
public final class SendMessage implements Tool {
  private static final Schema INPUT = Schema.ofRecord(Input.class);

  private final Messages messages;

  public SendMessage(Messages messages) {
    this.messages = messages;
  }

  /// What the agent says.
  public record Input(
      @JsonPropertyDescription("Name of your parent, a child or a sibling.") String recipient,
      @JsonPropertyDescription("What to tell them.") String text,
      @JsonPropertyDescription("true (default): you want an answer.") @Nullable Boolean sync) {}

  @Override
  public String name() {
    return "send_message";
  }

  @Override
  public String description() {
    return """
    Sends a message to your parent, a child or a sibling. Use it to ask, to answer or to tell.
    It returns at once; if you asked something, the reply arrives as your next message: end your
    turn and never poll for it.\
    """;
  }

  @Override
  public Schema input() {
    return INPUT;
  }

  @Override
  public ToolReply call(Caller caller, ObjectNode arguments) {
    Input input = Json.as(arguments, Input.class);
    Message sent = messages.fromAgent(caller, input.recipient(), input.text(), input.sync());
    return new ToolReply.Done(
        Json.object()
            .put("status", "sent")
            .put("message_id", sent.id().value())
            .put("waiting_for_reply", sent.sync()));
  }
}
