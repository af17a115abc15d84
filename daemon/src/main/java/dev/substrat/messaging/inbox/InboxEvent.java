package dev.substrat.messaging.inbox;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Event that waits for an agent. `payload` is what the agent is shown: `from`, `text`,
/// `message_id` and keys of its kind. A soft one does not wake an agent that waits for a reply.
/// `subject` is the key of the [TurnSubject] it belongs to, if any.
public record InboxEvent(
    String id,
    InboxEventKind kind,
    @Nullable MessageId message,
    ObjectNode payload,
    int attempts,
    boolean soft,
    @Nullable String subject) {

  /// Without a subject.
  public InboxEvent(
      String id,
      InboxEventKind kind,
      @Nullable MessageId message,
      ObjectNode payload,
      int attempts,
      boolean soft) {
    this(id, kind, message, payload, attempts, soft, null);
  }

  /// Payload key of a notice: the message it is about.
  public static final String CAUSE = "cause_id";

  /// Key of the subject in the payload.
  public static final String SUBJECT = "subject";

  /// Kind of event.
  public enum InboxEventKind {
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

    static InboxEventKind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// The same event, as part of a subject. The payload names it, so that an agent can see it.
  public InboxEvent about(@Nullable String key) {
    return key == null
        ? this
        : new InboxEvent(
            id, kind, message, payload.deepCopy().put(SUBJECT, key), attempts, soft, key);
  }

  /// The message that caused it: its own, or the one that led to the event.
  public @Nullable MessageId cause() {
    String cause = payload.path(CAUSE).asText("");
    return message != null || cause.isEmpty() ? message : new MessageId(cause);
  }

  public int depth() {
    return payload.path("depth").asInt();
  }
}
