package dev.substrat.messaging.message;

import dev.substrat.platform.identity.MessageId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A message and its delivery status. `sender` and `recipient` are keys of principals. If it was
/// sent in a turn, `run` is its run and `subject` its subject: replies belong to that subject.
public record Message(
    MessageId id,
    MessageKind kind,
    String sender,
    String recipient,
    String text,
    boolean sync,
    @Nullable MessageId inReplyTo,
    @Nullable MessageId broadcast,
    @Nullable MessageId cause,
    int depth,
    MessageStatus status,
    List<StatusChange> history,
    @Nullable String heldReason,
    @Nullable String deadReason,
    @Nullable String run,
    @Nullable String subject) {

  /// Kind of a message for its recipient.
  public enum MessageKind {
    MESSAGE,
    BROADCAST,
    REPLY,
    NOTICE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static MessageKind parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// Delivery status, in this order; the last three are final.
  public enum MessageStatus {
    STORED,
    CLAIMED,
    INJECTED,
    READ,
    REPLIED,
    EXPIRED,
    DEAD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static MessageStatus parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /// Time of a status change.
  public record StatusChange(MessageStatus status, Instant at) {}

  /// Whether it is not finished yet.
  public boolean isOpen() {
    return switch (status) {
      case STORED, CLAIMED, INJECTED -> true;
      case READ -> sync;
      case REPLIED, EXPIRED, DEAD -> false;
    };
  }

  public Instant sentAt() {
    return history.getFirst().at();
  }

  /// Id that an answer refers to: all copies of a broadcast share one id.
  MessageId thread() {
    return broadcast == null ? id : broadcast;
  }
}
