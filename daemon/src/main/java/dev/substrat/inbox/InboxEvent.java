package dev.substrat.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
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

  /// Why it waits.
  public enum Kind {
    START,
    MESSAGE,
    BROADCAST,
    REPLY,
    REMINDER,
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

  public int depth() {
    return payload.path("depth").asInt();
  }
}
