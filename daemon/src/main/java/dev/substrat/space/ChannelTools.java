package dev.substrat.space;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.id.MessageId;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolset;
import java.util.List;

/// The toolset `channels`: say something anywhere, react, or choose not to.
public final class ChannelTools {
  private final SpaceMessages messages;

  public ChannelTools(SpaceMessages messages) {
    this.messages = messages;
  }

  /// A sign for a message.
  public record React(
      @JsonPropertyDescription("Id of the message you react to.") String messageId,
      @JsonPropertyDescription("One emoji, such as 👍.") String emoji) {}

  /// It is there.
  record Reacted(boolean success) {}

  /// Nothing has to be said.
  public record Nothing() {}

  /// Nothing was done.
  record Silence(String action) {}

  public Toolset toolset() {
    return new Toolset(
        "channels", List.of(new SayInChannel(messages), reactToMessage(), doNothing()));
  }

  private Tool reactToMessage() {
    return SimpleTool.of(
        "react_to_message",
        Effect.SETS,
        React.class,
        Reacted.class,
        """
        Adds an emoji to a message in one of your spaces. It wakes nobody. Use it where words are not
        needed.\
        """,
        (call, input) -> {
          messages.react(call, new MessageId(input.messageId()), input.emoji());
          return new Reacted(true);
        });
  }

  private static Tool doNothing() {
    return SimpleTool.of(
        "do_nothing",
        Effect.LOOKS,
        Nothing.class,
        Silence.class,
        "Chooses not to respond. Nothing happens, and nobody is told.",
        (_, _) -> new Silence("none"));
  }
}
