package dev.substrat.messaging.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tool `broadcast`: sends one message to all siblings.
public final class BroadcastTool implements Tool {
  private static final JsonSchema INPUT = JsonSchema.ofRecord(Input.class);
  private static final JsonSchema OUTPUT = JsonSchema.ofResult(Sent.class);

  private final AgentMessages messages;

  public BroadcastTool(AgentMessages messages) {
    this.messages = messages;
  }

  /// Input of the tool.
  public record Input(@JsonPropertyDescription("Text of the message.") String text) {}

  /// Result: the message is stored and will be delivered.
  record Sent(
      String status,
      @JsonProperty("message_id") String messageId,
      @JsonProperty("recipient_count") int recipientCount,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.Waiting> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  @Override
  public String name() {
    return "broadcast";
  }

  @Override
  public String description() {
    return """
    Send one message to all your siblings: siblings only, not your children. Each answer
    [[turn|starts a turn of yours]][[external|will be in check_inbox]].\
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
  public ToolEffect effect() {
    return ToolEffect.DOES;
  }

  @Override
  public boolean isOneTransaction() {
    return true;
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    String text = Json.as(arguments, Input.class).text();
    var sent = messages.broadcast(call.caller(), text, call.idempotencyKey());
    var done =
        ToolResult.Done.with(
            new Sent("sent", sent.id().value(), sent.recipients(), sent.waitingForYou(), null));
    return sent.heldReason() == null
        ? done
        : done.saying(
            "Held until a person releases it: " + sent.heldReason() + ". Do not send it again.");
  }
}
