package dev.substrat.messaging.message;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Open questions and broadcasts: which agent may still answer which message. Waiting is only a
/// row; it holds no slot and no thread.
public final class PendingReplies {
  /// Long enough for a model that works for minutes and delegates, short enough that no asker waits
  /// for a day.
  static final Duration REPLY_TIMEOUT = Duration.ofMinutes(30);

  private static final String OPEN =
      """
      insert into pending_reply (message_id, asker, answerer, asked_at, kind, deadline, subject)
      values (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String SELECT =
      "select message_id, asker, answerer, kind from pending_reply ";

  /// Questions before broadcasts, the oldest first.
  private static final String NEXT =
      SELECT
          + """
          where answerer = ? and asker = ? and shown_at is not null
          order by case kind when 'question' then 0 else 1 end, message_id
          limit 1
          """;

  /// The subject of the turn first, then what the turn was shown besides.
  private static final String NEXT_IN_TURN =
      SELECT
          + """
          where answerer = ? and asker = ? and (message_id = ? or shown_turn = ?)
          order by case when message_id = ? then 0 when kind = 'question' then 1 else 2 end,
            message_id
          limit 1
          """;

  private PendingReplies() {}

  /// An open question.
  record PendingReply(MessageId question, String asker, String answerer, boolean isQuestion) {}

  static void open(Tx tx, Message message, boolean isQuestion, Instant now) {
    tx.update(
        OPEN,
        message.id().value(),
        message.sender(),
        message.recipient(),
        now,
        isQuestion ? "question" : "broadcast",
        now.plus(REPLY_TIMEOUT),
        message.subject());
  }

  /// Records that the question was shown in `turn` (0 if the answerer has no turns), so that it can
  /// be answered.
  static void shown(Tx tx, MessageId question, long turn, Instant now) {
    tx.update(
        "update pending_reply set shown_at = ?, shown_turn = ? where message_id = ?",
        now,
        turn,
        question.value());
  }

  /// A new attempt has not shown it yet.
  static void notShown(Tx tx, MessageId question) {
    tx.update(
        "update pending_reply set shown_at = null, shown_turn = null where message_id = ?",
        question.value());
  }

  /// False if the wait was already closed.
  static boolean close(Tx tx, MessageId question) {
    return tx.update("delete from pending_reply where message_id = ?", question.value()) == 1;
  }

  static Optional<PendingReply> find(Tx tx, MessageId question, String answerer) {
    return tx.find(
        """
        select message_id, asker, answerer, kind from pending_reply
        where message_id = ? and answerer = ?
        """,
        PendingReplies::open,
        question.value(),
        answerer);
  }

  /// The copy of a broadcast that `answerer` got.
  static Optional<PendingReply> findInBroadcast(Tx tx, MessageId broadcast, String answerer) {
    return tx.find(
        """
        select message_id, asker, answerer, pending_reply.kind as kind
        from pending_reply join message on message.id = pending_reply.message_id
        where message.broadcast_id = ? and answerer = ?
        """,
        PendingReplies::open,
        broadcast.value(),
        answerer);
  }

  /// The question that a message from `answerer` to `asker` answers, if the answerer has no turns:
  /// the oldest question of the pair that was shown.
  static Optional<PendingReply> next(Tx tx, String answerer, String asker) {
    return tx.find(NEXT, PendingReplies::open, answerer, asker);
  }

  /// The question that a message sent in a turn answers: the subject of the turn, or the oldest
  /// question of the pair shown in it.
  static Optional<PendingReply> nextInTurn(
      Tx tx, String answerer, String asker, @Nullable String subject, long turn) {
    return tx.find(NEXT_IN_TURN, PendingReplies::open, answerer, asker, subject, turn, subject);
  }

  /// Whether a question that `asker` asked in a turn about the subject has no answer yet.
  static boolean isOpenFor(Tx tx, String asker, String subject) {
    return tx.find(
            """
            select 1 from pending_reply where asker = ? and subject = ? and kind = 'question'
            limit 1
            """,
            _ -> true,
            asker,
            subject)
        .isPresent();
  }

  /// All open questions and broadcasts to `answerer`.
  static List<PendingReply> expectedOf(Tx tx, String answerer) {
    return tx.list(
        "select message_id, asker, answerer, kind from pending_reply where answerer = ?",
        PendingReplies::open,
        answerer);
  }

  /// Questions that were shown to `answerer` and whose askers still wait.
  static List<PendingReply> answerable(Tx tx, String answerer, Instant now) {
    return tx.list(
        """
        select message_id, asker, answerer, kind from pending_reply
        where answerer = ? and kind = 'question' and shown_at is not null and deadline > ?
        order by message_id
        """,
        PendingReplies::open,
        answerer,
        now);
  }

  /// Questions that a turn of `answerer` was shown, also those that it read with `check_inbox`.
  static List<PendingReply> shownIn(Tx tx, String answerer, long turn) {
    return tx.list(
        SELECT + "where answerer = ? and kind = 'question' and shown_turn = ? order by message_id",
        PendingReplies::open,
        answerer,
        turn);
  }

  /// Questions that `answerer` was shown while it had no turns.
  static List<PendingReply> readOutsideTurns(Tx tx, String answerer) {
    return tx.list(
        SELECT + "where answerer = ? and kind = 'question' and shown_turn = 0 order by message_id",
        PendingReplies::open,
        answerer);
  }

  /// Whether an asker waits for an answer to this message.
  static boolean isAwaited(Tx tx, MessageId message) {
    return tx.number(
            "select count(*) as n from pending_reply where message_id = ? and kind = 'question'",
            message.value())
        > 0;
  }

  static List<PendingReply> overdue(Tx tx, Instant now) {
    return tx.list(
        """
        select message_id, asker, answerer, kind from pending_reply
        where deadline <= ?
        order by message_id
        limit 100
        """,
        PendingReplies::open,
        now);
  }

  /// The asker no longer receives answers.
  static void forget(Tx tx, String asker) {
    tx.update("delete from pending_reply where asker = ?", asker);
  }

  /// An open question: its addressee, and since when.
  public record AwaitedReply(MessageId message, String answerer, Instant since) {}

  /// The questions of `agent` that have no answer yet, oldest first.
  public static List<AwaitedReply> awaitedBy(Tx tx, String agent) {
    return tx.list(
        """
        select message_id, answerer, asked_at from pending_reply
        where asker = ? and kind = 'question' order by message_id limit 100
        """,
        row ->
            new AwaitedReply(
                new MessageId(row.text("message_id")),
                row.text("answerer"),
                row.instant("asked_at")),
        agent);
  }

  /// Whether a turn of the answerer was shown the question.
  static boolean wasShown(Tx tx, MessageId question) {
    return tx.find(
            "select 1 from pending_reply where message_id = ? and shown_at is not null",
            _ -> true,
            question.value())
        .isPresent();
  }

  /// Names that `agent` has asked without an answer yet.
  public static List<String> askedBy(Tx tx, String agent) {
    return tx.list(
        """
        select distinct answerer from pending_reply
        where asker = ? and kind = 'question'
        """,
        row -> row.text("answerer"),
        agent);
  }

  private static PendingReply open(ResultRow row) {
    return new PendingReply(
        new MessageId(row.text("message_id")),
        row.text("asker"),
        row.text("answerer"),
        row.text("kind").equals("question"));
  }
}
