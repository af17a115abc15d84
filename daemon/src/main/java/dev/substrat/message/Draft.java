package dev.substrat.message;

import dev.substrat.id.MessageId;
import dev.substrat.message.Message.Kind;
import org.jspecify.annotations.Nullable;

/// A message that is about to be sent. `sender` and `recipient` are principals' keys, `senderName`
/// is what the recipient knows the sender by.
record Draft(
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
    @Nullable String heldReason) {

  static Draft of(Kind kind, Sender sender, String recipient, String text) {
    return new Draft(
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
        null);
  }

  /// Who writes, and in the course of what.
  record Sender(String key, String name, @Nullable MessageId cause, int depth) {}

  Draft asking() {
    return new Draft(
        kind,
        sender,
        senderName,
        recipient,
        text,
        true,
        inReplyTo,
        broadcast,
        cause,
        depth,
        heldReason);
  }

  Draft answering(MessageId question) {
    return new Draft(
        kind,
        sender,
        senderName,
        recipient,
        text,
        sync,
        question,
        broadcast,
        cause,
        depth,
        heldReason);
  }

  Draft inBroadcast(MessageId id) {
    return new Draft(
        kind, sender, senderName, recipient, text, sync, inReplyTo, id, cause, depth, heldReason);
  }

  Draft held(@Nullable String reason) {
    return new Draft(
        kind,
        sender,
        senderName,
        recipient,
        text,
        sync,
        inReplyTo,
        broadcast,
        cause,
        depth,
        reason);
  }
}
