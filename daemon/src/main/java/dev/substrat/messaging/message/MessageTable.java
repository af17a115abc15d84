package dev.substrat.messaging.message;

import dev.substrat.messaging.message.Message.MessageKind;
import dev.substrat.messaging.message.Message.MessageStatus;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Dialect;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// SQL of [Messages].
final class MessageTable {
  private static final String SELECT =
      """
      select id, kind, sender, recipient, text, sync, in_reply_to, broadcast_id, cause_id, depth,
        status, stored_at, claimed_at, injected_at, read_at, replied_at, expired_at, dead_at,
        held_reason, dead_reason, run_id, subject
      from message
      """;

  /// For lists: long texts are truncated.
  private static final String BRIEF =
      SELECT.replace(" text,", " substr(text, 1, " + (MessageHistory.BEGINNING + 1) + ") as text,");

  /// As in the index: only people have unread messages.
  private static final String UNREAD =
      "read_at is null and recipient = '" + Principal.OPERATOR_NAME + "'";

  private static final String INSERT =
      """
      insert into message
        (id, kind, sender, recipient, text, sync, in_reply_to, broadcast_id, cause_id, depth,
         idempotency_key, status, stored_at, held_reason, run_id, subject)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'stored', ?, ?, ?, ?)
      on conflict do nothing
      """;

  private MessageTable() {}

  /// False if the sender has already used this idempotency key.
  static boolean insert(
      Tx tx, MessageId id, MessageDraft draft, @Nullable String idempotencyKey, Instant now) {
    return tx.update(
            INSERT,
            id.value(),
            draft.kind(),
            draft.sender(),
            draft.recipient(),
            draft.text(),
            draft.sync(),
            value(draft.inReplyTo()),
            value(draft.broadcast()),
            value(draft.cause()),
            draft.depth(),
            idempotencyKey,
            now,
            draft.heldReason(),
            draft.run() == null ? null : draft.run().value(),
            draft.senderSubject())
        == 1;
  }

  private static @Nullable String value(@Nullable MessageId id) {
    return id == null ? null : id.value();
  }

  /// Locks a message until the transaction ends, so that of two concurrent decisions about it the
  /// second sees the first. SQLite has one writer anyway.
  static void lock(Tx tx, MessageId id) {
    if (tx.dialect() == Dialect.POSTGRES) {
      tx.find("select 1 from message where id = ? for update", _ -> true, id.value());
    }
  }

  static Optional<Message> find(Tx tx, MessageId id) {
    return tx.find(SELECT + " where id = ?", MessageTable::message, id.value());
  }

  /// Up to `limit` messages whose ids begin so, oldest first.
  static List<Message> withPrefix(Tx tx, String prefix, int limit) {
    return tx.list(
        SELECT + " where id >= ? and id < ? and substr(id, 1, ?) = ? order by id limit ?",
        MessageTable::message,
        prefix,
        prefix + MessageHistory.AFTER_ALL,
        prefix.length(),
        prefix,
        limit);
  }

  static Optional<Message> findByKey(Tx tx, String sender, String idempotencyKey) {
    return tx.find(
        SELECT + " where sender = ? and idempotency_key = ?",
        MessageTable::message,
        sender,
        idempotencyKey);
  }

  static Optional<Message> findReply(Tx tx, MessageId question) {
    return tx.find(
        SELECT + " where in_reply_to = ? and kind = 'reply' order by id limit 1",
        MessageTable::message,
        question.value());
  }

  static Optional<Message> findNewest(Tx tx, String sender, String recipient) {
    return tx.find(
        SELECT + " where recipient = ? and sender = ? order by id desc limit 1",
        MessageTable::message,
        recipient,
        sender);
  }

  /// Messages of `sender` that answer `question`, whether or not its asker still waited.
  static List<Message> answers(Tx tx, MessageId question, String sender) {
    return tx.list(
        SELECT + " where in_reply_to = ? and sender = ? order by id",
        MessageTable::message,
        question.value(),
        sender);
  }

  /// Messages from and to `principal` that came before message `before`, the newest `limit`, oldest
  /// first.
  static List<Message> of(Tx tx, String principal, String before, int limit) {
    return inTwoQueries(tx, SELECT, principal, before, limit).reversed();
  }

  /// The same in brief, newest first.
  static List<Message> inBrief(Tx tx, String principal, String before, int limit) {
    return inTwoQueries(tx, BRIEF, principal, before, limit);
  }

  /// One query with `or` would read and sort all messages of `principal`.
  private static List<Message> inTwoQueries(
      Tx tx, String select, String principal, String before, int limit) {
    var found = new TreeMap<String, Message>(Comparator.reverseOrder());
    for (String column : List.of("sender", "recipient")) {
      tx.list(
              select + " where " + column + " = ? and id < ? order by id desc limit ?",
              MessageTable::message,
              principal,
              before,
              limit)
          .forEach(message -> found.put(message.id().value(), message));
    }
    return found.values().stream().limit(limit).toList();
  }

  /// Messages to `principal` after message `after`, oldest first.
  static List<Message> to(Tx tx, String principal, String after, int limit) {
    return tx.list(
        SELECT + " where recipient = ? and id > ? order by id limit ?",
        MessageTable::message,
        principal,
        after,
        limit);
  }

  /// All messages after message `after`, oldest first.
  static List<Message> all(Tx tx, String after, int limit) {
    return tx.list(
        SELECT + " where id > ? order by id limit ?", MessageTable::message, after, limit);
  }

  /// The newest that meet a condition and came before message `before`, newest first, in brief.
  static List<Message> newest(Tx tx, String condition, String before, int limit) {
    return tx.list(
        BRIEF + " where " + condition + " and id < ? order by id desc limit ?",
        MessageTable::message,
        before,
        limit);
  }

  /// The same, only from and to `principal`. The comparison is not for the index of `principal`:
  /// few messages meet the condition, and those have an index of their own.
  static List<Message> newestOf(
      Tx tx, String principal, String condition, String before, int limit) {
    return tx.list(
        BRIEF
            + " where (sender || '' = ? or recipient || '' = ?) and "
            + condition
            + " and id < ? order by id desc limit ?",
        MessageTable::message,
        principal,
        principal,
        before,
        limit);
  }

  /// The newest messages to `principal`, oldest first.
  static List<Message> newestTo(Tx tx, String principal, int limit) {
    return tx.list(
            SELECT + " where recipient = ? order by id desc limit ?",
            MessageTable::message,
            principal,
            limit)
        .reversed();
  }

  /// The oldest `most` unread messages up to `upTo`: a message that is stored later stays unread
  /// even if its id is smaller.
  static int readUpTo(Tx tx, MessageId upTo, int most, Instant now) {
    return tx.update(
        """
        update message set read_at = ?,
          status = case when status = 'stored' then 'read' else status end
        where read_at is null and id in (
          select id from message where id <= ? and UNREAD order by id limit ?
        )
        """
            .replace("UNREAD", UNREAD),
        now,
        upTo.value(),
        most);
  }

  static int readOne(Tx tx, MessageId id, Instant now) {
    return tx.update(
        """
        update message set read_at = ?,
          status = case when status = 'stored' then 'read' else status end
        where id = ? and read_at is null
        """,
        now,
        id.value());
  }

  static List<Message> unread(Tx tx, int limit) {
    return tx.list(
        SELECT + " where " + UNREAD + " order by id limit ?", MessageTable::message, limit);
  }

  /// Up to `most`.
  static long countUnread(Tx tx, int most) {
    return tx.number(
        """
        select count(*) as n from (select 1 as one from message where UNREAD limit ?) unread
        """
            .replace("UNREAD", UNREAD),
        most);
  }

  static int copies(Tx tx, MessageId broadcast) {
    return (int)
        tx.number(
            "select count(*) as n from message where broadcast_id = ? and kind = 'broadcast'",
            broadcast.value());
  }

  /// Held messages after message `after`, oldest first.
  static List<Message> held(Tx tx, String after, int limit) {
    return tx.list(
        SELECT + " where held_reason is not null and id > ? order by id limit ?",
        MessageTable::message,
        after,
        limit);
  }

  /// False if it was not held.
  static boolean release(Tx tx, MessageId id) {
    return tx.update(
            "update message set held_reason = null where id = ? and held_reason is not null",
            id.value())
        == 1;
  }

  /// A final status stays. A read message stays read, even if a failed turn gets it again.
  static void mark(Tx tx, MessageId id, MessageStatus status, Instant now) {
    boolean isBeforeReading = status.compareTo(MessageStatus.READ) < 0;
    tx.update(
        "update message set status = ?, "
            + status
            + "_at = ? where id = ? and status not in ('replied', 'expired', 'dead'"
            + (isBeforeReading ? ", 'read')" : ")"),
        status,
        now,
        id.value());
  }

  /// Back to waiting; when it was claimed and shown stays on record.
  static void unread(Tx tx, MessageId id) {
    tx.update(
        """
        update message set status = 'stored'
        where id = ? and status in ('claimed', 'injected')
        """,
        id.value());
  }

  /// Ends a message without an answer; false if it has ended before.
  static boolean end(Tx tx, MessageId id, MessageStatus end, String reason, Instant now) {
    return tx.update(
            "update message set status = ?, dead_reason = ?, held_reason = null, "
                + end
                + "_at = ? where id = ? and status not in ('replied', 'expired', 'dead')",
            end,
            reason,
            now,
            id.value())
        == 1;
  }

  /// Resets a dead letter to stored; false if it is not a dead letter.
  static boolean revive(Tx tx, MessageId id) {
    return tx.update(
            """
            update message set status = 'stored', claimed_at = null, injected_at = null,
              read_at = null, dead_at = null, expired_at = null, dead_reason = null
            where id = ? and status in ('dead', 'expired')
            """,
            id.value())
        == 1;
  }

  /// Whether it is still in the recipient's inbox.
  static boolean isInInbox(Tx tx, MessageId id) {
    return tx.number("select count(*) as n from inbox_event where id = ?", id.value()) > 0;
  }

  static void startBroadcast(Tx tx, MessageId id) {
    tx.update("update message set broadcast_id = id where id = ?", id.value());
  }

  private static Message message(ResultRow row) {
    var history = new ArrayList<Message.StatusChange>();
    for (MessageStatus status : MessageStatus.values()) {
      Instant at = row.instantOrNull(status + "_at");
      if (at != null) {
        history.add(new Message.StatusChange(status, at));
      }
    }
    return new Message(
        new MessageId(row.text("id")),
        MessageKind.parse(row.text("kind")),
        row.text("sender"),
        row.text("recipient"),
        row.text("text"),
        row.flag("sync"),
        id(row.textOrNull("in_reply_to")),
        id(row.textOrNull("broadcast_id")),
        id(row.textOrNull("cause_id")),
        row.integer("depth"),
        MessageStatus.parse(row.text("status")),
        history,
        row.textOrNull("held_reason"),
        row.textOrNull("dead_reason"),
        row.textOrNull("run_id"),
        row.textOrNull("subject"));
  }

  private static @Nullable MessageId id(@Nullable String value) {
    return value == null ? null : new MessageId(value);
  }
}
