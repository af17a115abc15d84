package dev.substrat.message;

import dev.substrat.id.MessageId;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Open sync messages: who waits for whom. Waiting holds no slot and no thread; it is only a row.
public final class PendingReplies {
  private static final String OPEN =
      "insert into pending_reply (message_id, asker, answerer, asked_at) values (?, ?, ?, ?)";

  private static final String SHOWN =
      "update pending_reply set shown_at = coalesce(shown_at, ?) where message_id = ?";

  private static final String OLDEST =
      """
      select message_id from pending_reply
      where answerer = ? and asker = ? and shown_at is not null
      order by message_id
      limit 1
      """;

  /// What `answerer` owes and can be answered now: questions it was shown and after which it has
  /// not itself opened a question that is still open.
  private static final String OWED =
      """
      select message_id, asker from pending_reply owed
      where answerer = ? and shown_at is not null
        and not exists (
          select 1 from pending_reply later
          where later.asker = owed.answerer and later.asked_at >= owed.shown_at
        )
      order by message_id
      """;

  private PendingReplies() {}

  /// One answer that is owed.
  record Owed(MessageId question, String asker) {}

  static void open(Tx tx, Message message, Instant now) {
    tx.update(OPEN, message.id().value(), message.sender(), message.recipient(), now);
  }

  static void shown(Tx tx, MessageId question, Instant now) {
    tx.update(SHOWN, now, question.value());
  }

  static void notShown(Tx tx, MessageId question) {
    tx.update("update pending_reply set shown_at = null where message_id = ?", question.value());
  }

  static void close(Tx tx, MessageId question) {
    tx.update("delete from pending_reply where message_id = ?", question.value());
  }

  static Optional<MessageId> oldest(Tx tx, String answerer, String asker) {
    return tx.find(OLDEST, row -> new MessageId(row.text("message_id")), answerer, asker);
  }

  static List<Owed> owed(Tx tx, String answerer) {
    return tx.list(OWED, PendingReplies::owed, answerer);
  }

  /// True if `agent` has asked something and has no answer yet.
  public static boolean isWaiting(Tx tx, String agent) {
    return tx.number("select count(*) as n from pending_reply where asker = ?", agent) > 0;
  }

  private static Owed owed(Row row) {
    return new Owed(new MessageId(row.text("message_id")), row.text("asker"));
  }
}
