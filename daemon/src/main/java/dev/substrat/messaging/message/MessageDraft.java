package dev.substrat.messaging.message;

import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.Recipients.Recipient;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.team.AgentTree.Alive;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Message that is about to be sent. `sender` and `recipient` are keys of principals, `senderName`
/// is the name shown to the recipient, `senderHandle` that in the log. `run` is the sending run, in
/// a turn about `senderSubject`; for the recipient it belongs to `subject`, unless it is a question
/// or a reply. `to` is set if the recipient is known to be there until the commit.
record MessageDraft(
    MessageKind kind,
    String sender,
    String senderName,
    String senderHandle,
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
    @Nullable String subject,
    @Nullable Alive to) {

  static MessageDraft of(MessageKind kind, MessageSender sender, Recipient recipient, String text) {
    return of(kind, sender, recipient.key(), text).to(recipient.agent());
  }

  static MessageDraft of(MessageKind kind, MessageSender sender, String recipient, String text) {
    return new MessageDraft(
        kind,
        sender.key(),
        sender.name(),
        sender.handle(),
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
        null,
        null);
  }

  /// Sender; for an agent also its run and subject.
  record MessageSender(
      String key,
      String name,
      String handle,
      @Nullable MessageId cause,
      int depth,
      @Nullable RunId run,
      @Nullable String subject) {

    /// A sender that has no runs: a person or the daemon.
    MessageSender(String key, String name, @Nullable MessageId cause, int depth) {
      this(key, name, key, cause, depth, null, null);
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
        senderHandle,
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
        about,
        to);
  }

  private MessageDraft to(@Nullable Alive known) {
    return new MessageDraft(
        kind,
        sender,
        senderName,
        senderHandle,
        recipient,
        text,
        sync,
        inReplyTo,
        broadcast,
        cause,
        depth,
        heldReason,
        run,
        senderSubject,
        subject,
        known);
  }

  /// The message, once it is stored under `id`.
  Message stored(MessageId id, Instant now) {
    return new Message(
        id,
        kind,
        sender,
        recipient,
        text,
        sync,
        inReplyTo,
        broadcast,
        cause,
        depth,
        Message.MessageStatus.STORED,
        List.of(
            new Message.StatusChange(
                Message.MessageStatus.STORED, now.truncatedTo(ChronoUnit.MILLIS))),
        heldReason,
        null,
        run == null ? null : run.value(),
        senderSubject);
  }
}
