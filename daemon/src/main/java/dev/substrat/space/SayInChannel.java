package dev.substrat.space;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.space.SpaceMessages.Post;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.ToolReply;

/// The tool `send_message`, to a space by its id.
final class SayInChannel implements AddressForm {
  private static final Schema INPUT = Schema.ofRecord(Input.class);
  private static final Schema OUTPUT = Schema.ofResult(Said.class);

  private final SpaceMessages messages;

  SayInChannel(SpaceMessages messages) {
    this.messages = messages;
  }

  /// What the agent says, and where.
  public record Input(
      @JsonPropertyDescription("Id of a public or private channel, or a DM: general, dm-ada-ben.")
          String channelId,
      @JsonPropertyDescription("What to say.") String text) {}

  /// It is said.
  record Said(String messageId) {}

  @Override
  public String name() {
    return "send_message";
  }

  @Override
  public String address() {
    return "channelId";
  }

  @Override
  public String description() {
    return """
    Says something in a channel or a DM. A DM is called dm- and the handles of the two, and begins
    with its first message. It returns at once; answers come to you like messages.\
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
    SpaceMessage said = messages.post(call, new Post(input.channelId(), input.text()));
    return SayHere.withHint(ToolReply.Done.with(new Said(said.id().value())), said);
  }
}
