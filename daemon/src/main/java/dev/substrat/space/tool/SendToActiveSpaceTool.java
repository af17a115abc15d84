package dev.substrat.space.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.ActiveSpace;
import dev.substrat.space.SpaceMember;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.SpaceMessages;
import dev.substrat.space.SpaceMessages.PostRequest;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.ToolsetName;
import dev.substrat.tool.AddressForm;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.TurnFence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tool `send_message` that posts to the agent's active space.
record SendToActiveSpaceTool(Database database, SpaceMessages messages) implements AddressForm {
  private static final JsonSchema INPUT = JsonSchema.ofRecord(PostInput.class);
  private static final JsonSchema ADDRESSED = JsonSchema.ofRecord(AddressedPostInput.class);
  private static final String SPACE = "#";
  private static final JsonSchema OUTPUT = JsonSchema.ofResult(PostedResult.class);

  /// Input of send_message.
  public record PostInput(@JsonPropertyDescription("Text of the message.") String text) {}

  /// The same beside other forms: `#` and an id as the recipient names the space, and a message
  /// that is answered is one of a space. A post never asks for a reply, so `sync` has no effect.
  record AddressedPostInput(
      String text,
      @Nullable String recipient,
      @JsonProperty("in_reply_to") @Nullable String inReplyTo,
      @Nullable Boolean sync) {

    @Nullable MessageId parent() {
      return inReplyTo == null ? null : new MessageId(inReplyTo);
    }
  }

  /// The posted message and its space. `answers` is the message whose thread it continues.
  record PostedResult(
      String messageId,
      String spaceId,
      long seq,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String answers,
      @JsonProperty("waiting_for_you") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          @Nullable List<OpenQuestions.WaitingSender> waitingForYou,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String hint) {}

  @Override
  public String address() {
    return "";
  }

  @Override
  public JsonSchema accepted() {
    return ADDRESSED;
  }

  @Override
  public boolean isMeant(ToolCall call, ObjectNode arguments) {
    boolean isAddressed = arguments.has("recipient") || arguments.has("channelId");
    return isAddressed
        ? isSpace(arguments)
        : messages.isOfSpace(call.caller(), arguments.path("in_reply_to"));
  }

  /// A recipient such as `#general`.
  static boolean isSpace(ObjectNode arguments) {
    return arguments.path("recipient").asText().startsWith(SPACE);
  }

  @Override
  public String description() {
    return """
    Post to your active space (see enter_space); its members can read it.[[team| It fails while someone waits for your answer.]]\
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
    AddressedPostInput input = Json.as(arguments, AddressedPostInput.class);
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      // A repeated call finds its message, whatever the active space is now.
      SpaceMessage said =
          messages
              .findEarlier(tx, call, input.text())
              .orElseGet(() -> messages.post(tx, call, post(tx, call.caller(), input)));
      var done =
          ToolResult.Done.with(
              new PostedResult(
                  said.id().value(),
                  said.space(),
                  said.seq(),
                  said.parent() == null ? null : said.parent().value(),
                  OpenQuestions.waitingFor(tx, call.caller().agent().id()),
                  null));
      return withHint(done, said);
    });
  }

  private static PostRequest post(Tx tx, ToolCaller caller, AddressedPostInput input) {
    MessageId parent = input.parent();
    String space;
    if (input.recipient() != null) {
      space = input.recipient().substring(SPACE.length());
    } else if (parent != null) {
      space = SpaceMessages.require(tx, SpaceMember.of(caller.agent()), parent).space();
    } else {
      space =
          ActiveSpace.find(tx, caller)
              .orElseThrow(() ->
                  ErrorCode.NO_ACTIVE_SPACE.fault(
                      "the message has no recipient, and you have no active space",
                      mayHaveRecipient(caller)
                          ? "add \"recipient\" (the name of an agent, or operator); to post in a "
                              + "space, call enter_space first"
                          : "call enter_space first"));
    }
    return new PostRequest(space, input.text(), parent);
  }

  private static boolean mayHaveRecipient(ToolCaller caller) {
    return caller.agent().config().toolsetsOrDefault().contains(ToolsetName.TEAM.word());
  }

  static ToolResult withHint(ToolResult.Done done, SpaceMessage said) {
    return said.heldReason() == null
        ? done
        : done.saying(
            "The message is posted, but wakes no agents until a person releases it: "
                + said.heldReason()
                + ". Do not post it again.");
  }

  static String active(Tx tx, ToolCaller caller) {
    return ActiveSpace.find(tx, caller)
        .orElseThrow(() ->
            ErrorCode.NO_ACTIVE_SPACE.fault(
                "you have no active space", "set one with enter_space"));
  }
}
