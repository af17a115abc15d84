package dev.substrat.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that waits for an agent. `payload` is what the agent is shown: `from`, `text`,
/// `message_id` and whatever else its kind has. A soft one does not wake an agent that waits for a
/// reply.
public record InboxEvent(
    String id,
    Kind kind,
    @Nullable MessageId message,
    ObjectNode payload,
    int attempts,
    boolean soft) {

  /// In the payload of news, the message whose handling they tell of.
  public static final String CAUSE = "cause_id";

  /// Why it waits.
  public enum Kind {
    START,
    MESSAGE,
    BROADCAST,
    REPLY,
    SPACE_MESSAGE,
    TOOL_RESULT,
    REMINDER,
    PLAN,
    SERVICE,
    NOTICE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// What turn number `turn` has to be shown of `all`: an agent that was written to before its very
  /// first turn starts with its mail.
  public static List<InboxEvent> withoutNeedlessStart(List<InboxEvent> all, long turn) {
    List<InboxEvent> others = all.stream().filter(event -> event.kind() != Kind.START).toList();
    return turn == 1 && !others.isEmpty() ? others : all;
  }

  /// The message it follows from: its own, or the one that led to what it tells of.
  public @Nullable MessageId cause() {
    String cause = payload.path(CAUSE).asText("");
    return message != null || cause.isEmpty() ? message : new MessageId(cause);
  }

  public int depth() {
    return payload.path("depth").asInt();
  }
}
