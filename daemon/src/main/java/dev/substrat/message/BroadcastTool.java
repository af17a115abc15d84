package dev.substrat.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolReply;

/// The tool `broadcast`.
public final class BroadcastTool implements Tool {
  private static final Schema INPUT = Schema.ofRecord(Input.class);
  private static final Schema OUTPUT = Schema.ofResult(Sent.class);

  private final AgentMail mail;

  public BroadcastTool(AgentMail mail) {
    this.mail = mail;
  }

  /// What the agent says.
  public record Input(@JsonPropertyDescription("What to tell all siblings.") String text) {}

  /// It is stored, and will arrive.
  record Sent(
      String status,
      @JsonProperty("message_id") String messageId,
      @JsonProperty("recipient_count") int recipientCount) {}

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
    String text = Json.as(arguments, Input.class).text();
    var sent = mail.broadcast(call.caller(), text, call.idempotencyKey());
    var done = ToolReply.Done.with(new Sent("sent", sent.id().value(), sent.recipients()));
    return sent.heldReason() == null
        ? done
        : done.withHint("Held until a person lets it go on: " + sent.heldReason());
  }
}
