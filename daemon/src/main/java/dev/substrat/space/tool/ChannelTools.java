package dev.substrat.space.tool;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.space.SpaceMessages;
import dev.substrat.store.Database;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import dev.substrat.tool.Toolset;
import java.util.List;

/// The toolset `channels`: post in any space, react, or do nothing.
public record ChannelTools(Database database, SpaceMessages messages) {
  /// A sign for a message.
  public record ReactInput(
      @JsonPropertyDescription("Id of the message.") String messageId,
      @JsonPropertyDescription("One emoji, such as 👍.") String emoji) {}

  /// Confirmation.
  record ReactResult(boolean success) {}

  /// Confirmation of doing nothing.
  record NoActionResult(String action) {}

  public Toolset toolset() {
    return new Toolset(
        "channels",
        List.of(
            new SendToChannelTool(database, messages),
            new ListSpacesTool(database).tool(),
            reactToMessage(messages),
            doNothing()));
  }

  static Tool reactToMessage(SpaceMessages messages) {
    return SimpleTool.of(
        "react_to_message",
        ToolEffect.SETS,
        ReactInput.class,
        ReactResult.class,
        """
        Add an emoji reaction to a message. It wakes no agents. Use it instead of a short
        acknowledgement.\
        """,
        (call, input) -> {
          messages.react(call, new MessageId(input.messageId()), input.emoji());
          return new ReactResult(true);
        });
  }

  private static Tool doNothing() {
    return SimpleTool.of(
        "do_nothing",
        ToolEffect.LOOKS,
        SimpleTool.NoInput.class,
        NoActionResult.class,
        "Do not respond in the space of this turn. Your final text is not posted.",
        (_, _) -> new NoActionResult("none"));
  }
}
