package dev.substrat.space.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.store.Database;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tool `send_message` that posts to a space by its id.
record SendToChannelTool(Database database, SpaceMessages messages) implements AddressForm {
  private static final JsonSchema INPUT = JsonSchema.ofRecord(ChannelPostInput.class);
  private static final JsonSchema ADDRESSED = JsonSchema.ofRecord(AddressedChannelPostInput.class);
  private static final JsonSchema OUTPUT = JsonSchema.ofResult(ChannelPostResult.class);

  /// Input of send_message with a channel.
  public record ChannelPostInput(
      @JsonPropertyDescription("Id of a channel or a DM, such as general or dm-ada-ben.")
          String channelId,
      @JsonPropertyDescription("Text of the message.") String text) {}

  /// The same beside other forms; see [SendToActiveSpaceTool.AddressedPostInput].
  record AddressedChannelPostInput(
      @Nullable String channelId,
      String text,
      @Nullable String recipient,
      @JsonProperty("in_reply_to") @Nullable String inReplyTo,
      @Nullable Boolean sync) {

    PostRequest post() {
      MessageId parent = inReplyTo == null ? null : new MessageId(inReplyTo);
      String space = channelId == null ? Objects.requireNonNull(recipient).substring(1) : channelId;
      return new PostRequest(space, text, parent);
    }
  }

  /// The posted message. `answers` is the message whose thread it continues.
  record ChannelPostResult(
      String messageId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  @Override
  public String address() {
    return "channelId";
  }

  @Override
  public JsonSchema accepted() {
    return ADDRESSED;
  }

  @Override
  public boolean isMeant(ToolCall call, ObjectNode arguments) {
    return SendToActiveSpaceTool.isSpace(arguments);
  }

  @Override
  public String description() {
    return """
    Post to a channel or a DM. The id of a DM is dm- and both handles; its first message creates it.\
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
    AddressedChannelPostInput input = Json.as(arguments, AddressedChannelPostInput.class);
    return database.transact(tx -> {
      SpaceMessage said = messages.post(tx, call, input.post());
      var done =
          ToolResult.Done.with(
              new ChannelPostResult(
                  said.id().value(),
                  said.parent() == null ? null : said.parent().value(),
                  OpenQuestions.waitingFor(tx, call.caller().agent().id()),
                  null));
      return SendToActiveSpaceTool.withHint(done, said);
    });
  }
}
