package dev.substrat.message;

import dev.substrat.id.MessageId;
import dev.substrat.message.Message.Status;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows behind [Messages].
final class MessageTable {
  private static final String COLUMNS =
      """
      id, sender, recipient, text, sync, in_reply_to, depth, status, stored_at, claimed_at,
      injected_at, read_at, replied_at, dead_at, dead_reason
      """;

  private static final String INSERT =
      """
      insert into message
        (id, sender, recipient, text, sync, in_reply_to, depth, idempotency_key, status, stored_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  private MessageTable() {}

  /// False if the sender has already used this idempotency key.
  static boolean insert(Tx tx, Message message, @Nullable String idempotencyKey) {
    return tx.update(
            INSERT,
            message.id().value(),
            message.sender(),
            message.recipient(),
            message.text(),
            message.sync(),
            message.inReplyTo() == null ? null : message.inReplyTo().value(),
            message.depth(),
            idempotencyKey,
            message.status(),
            message.sentAt())
        == 1;
  }

  static Optional<Message> find(Tx tx, MessageId id) {
    return tx.find(
        "select " + COLUMNS + " from message where id = ?", MessageTable::message, id.value());
  }

  static Optional<Message> findByKey(Tx tx, String sender, String idempotencyKey) {
    return tx.find(
        "select " + COLUMNS + " from message where sender = ? and idempotency_key = ?",
        MessageTable::message,
        sender,
        idempotencyKey);
  }

  static Optional<Message> findReply(Tx tx, MessageId question) {
    return tx.find(
        "select " + COLUMNS + " from message where in_reply_to = ? order by id limit 1",
        MessageTable::message,
        question.value());
  }

  /// Mail from and to `principal`, the newest `limit`, oldest first.
  static List<Message> of(Tx tx, String principal, int limit) {
    return tx.list(
            "select "
                + COLUMNS
                + " from message where sender = ? or recipient = ? order by id desc limit ?",
            MessageTable::message,
            principal,
            principal,
            limit)
        .reversed();
  }

  /// Mail to `principal` after message `after`, oldest first.
  static List<Message> to(Tx tx, String principal, String after, int limit) {
    return tx.list(
        "select " + COLUMNS + " from message where recipient = ? and id > ? order by id limit ?",
        MessageTable::message,
        principal,
        after,
        limit);
  }

  /// The newest mail to `principal`, oldest first.
  static List<Message> newestTo(Tx tx, String principal, int limit) {
    return tx.list(
            "select " + COLUMNS + " from message where recipient = ? order by id desc limit ?",
            MessageTable::message,
            principal,
            limit)
        .reversed();
  }

  static void mark(Tx tx, MessageId id, Status status, Instant now) {
    String column =
        switch (status) {
          case STORED -> "stored_at";
          case CLAIMED -> "claimed_at";
          case INJECTED -> "injected_at";
          case READ -> "read_at";
          case REPLIED -> "replied_at";
          case DEAD -> "dead_at";
        };
    tx.update(
        "update message set status = ?, " + column + " = ? where id = ?", status, now, id.value());
  }

  /// Back to waiting; when it was claimed and shown stays on record.
  static void unread(Tx tx, MessageId id) {
    tx.update(
        "update message set status = ? where id = ? and status <> ?",
        Status.STORED,
        id.value(),
        Status.REPLIED);
  }

  static void markDead(Tx tx, MessageId id, String reason, Instant now) {
    mark(tx, id, Status.DEAD, now);
    tx.update("update message set dead_reason = ? where id = ?", reason, id.value());
  }

  private static Message message(Row row) {
    var history = new ArrayList<Message.Step>();
    for (Status status : Status.values()) {
      Instant at = row.instantOrNull(status + "_at");
      if (at != null) {
        history.add(new Message.Step(status, at));
      }
    }
    @Nullable String question = row.textOrNull("in_reply_to");
    return new Message(
        new MessageId(row.text("id")),
        row.text("sender"),
        row.text("recipient"),
        row.text("text"),
        row.flag("sync"),
        question == null ? null : new MessageId(question),
        row.integer("depth"),
        Status.parse(row.text("status")),
        history,
        row.textOrNull("dead_reason"));
  }
}
