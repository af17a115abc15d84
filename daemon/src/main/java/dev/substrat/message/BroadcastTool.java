package dev.substrat.message;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.tool.Call;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;

/// The tool `broadcast`.
public final class BroadcastTool implements Tool {
  private static final Schema INPUT = Schema.ofRecord(Input.class);

  private final AgentMail mail;

  public BroadcastTool(AgentMail mail) {
    this.mail = mail;
  }

  /// What the agent says.
  public record Input(@JsonPropertyDescription("What to tell all siblings.") String text) {}

  @Override
  public String name() {
    return "broadcast";
  }

  @Override
  public String description() {
    return """
    Sends one message to all your siblings. Use it to tell the whole team. It returns at once; whoever
    answers does so in a message of its own, which starts a new turn of yours.\
    """;
  }

  @Override
  public Schema input() {
    return INPUT;
  }

  @Override
  public ToolReply call(Call call, ObjectNode arguments) {
    String text = Json.as(arguments, Input.class).text();
    var sent = mail.broadcast(call.caller(), text, call.idempotencyKey());
    var done =
        new ToolReply.Done(
            Json.object()
                .put("status", "sent")
                .put("message_id", sent.id().value())
                .put("recipient_count", sent.recipients()));
    return sent.heldReason() == null
        ? done
        : done.withHint("Held until a person lets it go on: " + sent.heldReason());
  }
}
