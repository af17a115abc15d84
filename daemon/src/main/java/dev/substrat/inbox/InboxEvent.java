package dev.substrat.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.id.MessageId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that waits for an agent. `payload` is what the agent is shown: `from`, `text`,
/// `message_id` and whatever else its kind has.
public record InboxEvent(
    String id, Kind kind, @Nullable MessageId message, ObjectNode payload, int attempts) {

  /// Why it waits.
  public enum Kind {
    MESSAGE,
    REPLY,
    NOTICE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }
}
