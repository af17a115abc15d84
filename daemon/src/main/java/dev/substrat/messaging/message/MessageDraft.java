package dev.substrat.messaging.message;

import dev.substrat.messaging.message.Message.Kind;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import org.jspecify.annotations.Nullable;

/// Message that is about to be sent. `sender` and `recipient` are keys of principals, `senderName`
/// is the name shown to the recipient. `run` is the sending run, in a turn about `senderSubject`;
/// for the recipient it belongs to `subject`, unless it is a question or a reply.
record MessageDraft(
    Kind kind,
    String sender,
    String senderName,
    String recipient,
    String text,
    boolean sync,
    @Nullable MessageId inReplyTo,
    @Nullable MessageId broadcast,
    @Nullable MessageId cause,
    int depth,
    @Nullable String heldReason,
    @Nullable RunId run,
    @Nullable String senderSubject,
    @Nullable String subject) {

  static MessageDraft of(Kind kind, Sender sender, String recipient, String text) {
    return new MessageDraft(
        kind,
        sender.key(),
        sender.name(),
        recipient,
        text,
        false,
        null,
        null,
        sender.cause(),
        sender.depth(),
        null,
        sender.run(),
        sender.subject(),
        null);
  }

  /// Sender; for an agent also its run and subject.
  record Sender(
      String key,
      String name,
      @Nullable MessageId cause,
      int depth,
      @Nullable RunId run,
      @Nullable String subject) {

    /// A sender that has no runs: a person or the daemon.
    Sender(String key, String name, @Nullable MessageId cause, int depth) {
      this(key, name, cause, depth, null, null);
    }
  }

  MessageDraft asking() {
    return with(true, inReplyTo, broadcast, heldReason, subject);
  }

  MessageDraft answering(MessageId question) {
    return with(sync, question, broadcast, heldReason, subject);
  }

  MessageDraft inBroadcast(MessageId id) {
    return with(sync, inReplyTo, id, heldReason, subject);
  }

  MessageDraft held(@Nullable String reason) {
    return with(sync, inReplyTo, broadcast, reason, subject);
  }

  /// The same message as part of a subject of its recipient.
  MessageDraft about(@Nullable String key) {
    return with(sync, inReplyTo, broadcast, heldReason, key);
  }

  private MessageDraft with(
      boolean asks,
      @Nullable MessageId answered,
      @Nullable MessageId copyOf,
      @Nullable String held,
      @Nullable String about) {
    return new MessageDraft(
        kind,
        sender,
        senderName,
        recipient,
        text,
        asks,
        answered,
        copyOf,
        cause,
        depth,
        held,
        run,
        senderSubject,
        about);
  }
}
