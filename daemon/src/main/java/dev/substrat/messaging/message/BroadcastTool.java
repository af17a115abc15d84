package dev.substrat.messaging.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tool `broadcast`: sends one message to all siblings.
public record BroadcastTool(AgentMessages messages) {

  /// Input of the tool.
  public record BroadcastInput(@JsonPropertyDescription("Text of the message.") String text) {}

  /// Result: the message is stored and will be delivered.
  record BroadcastToolResult(
      String status,
      @JsonProperty("message_id") String messageId,
      @JsonProperty("recipient_count") int recipientCount,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  public Tool tool() {
    return SimpleTool.answering(
            "broadcast",
            ToolEffect.DOES,
            BroadcastInput.class,
            BroadcastToolResult.class,
            """
            Send one message to all your siblings, not to your children. Each answer
            [[turn|starts a turn of yours]][[external|will be in check_inbox]].\
            """,
            this::send)
        .inOneTransaction();
  }

  private ToolResult send(ToolCall call, BroadcastInput input) {
    var sent = messages.broadcast(call.caller(), input.text(), call.idempotencyKey());
    var done =
        ToolResult.Done.with(
            new BroadcastToolResult(
                "sent", sent.id().value(), sent.recipients(), sent.waitingForYou(), null));
    return sent.heldReason() == null
        ? done
        : done.saying(
            "The message is held until a person releases it: "
                + sent.heldReason()
                + ". Do not send it again.");
  }
}
