package dev.substrat.message;

import dev.substrat.id.MessageId;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Open questions and broadcasts: who may still answer whom. Waiting holds no slot and no thread;
/// it is only a row.
public final class PendingReplies {
  /// Long enough for a model that thinks for minutes and delegates, short enough that nobody waits
  /// for a day.
  static final Duration PATIENCE = Duration.ofMinutes(30);

  private static final String OPEN =
      """
      insert into pending_reply (message_id, asker, answerer, asked_at, kind, deadline)
      values (?, ?, ?, ?, ?, ?)
      """;

  /// Questions before broadcasts, the oldest first.
  private static final String NEXT =
      """
      select message_id, asker, answerer, kind from pending_reply
      where answerer = ? and asker = ? and shown_at is not null
      order by case kind when 'question' then 0 else 1 end, message_id
      limit 1
      """;

  /// What `answerer` owes and its final text may answer: questions after whose showing it has sent
  /// the asker nothing and opened no question or call of its own that is still open. One that was
  /// answered during the turn counts as open until the agent has seen the answer. What is sent has
  /// a key; the final text of an earlier turn, which answered something else, has none and does not
  /// count.
  private static final String OWED =
      """
      select message_id, asker, answerer, kind from pending_reply owed
      where answerer = ? and kind = 'question' and shown_at is not null
        and not exists (
          select 1 from pending_reply later
          where later.asker = owed.answerer and later.kind = 'question'
            and later.message_id > owed.shown_mark
        )
        and not exists (
          select 1 from inbox_event unread
          join message answer on answer.id = unread.message_id
          join message asked on asked.id = answer.in_reply_to
          where unread.agent_id = owed.answerer and asked.sender = owed.answerer
            and asked.sync = 1 and asked.id > owed.shown_mark
        )
        and not exists (
          select 1 from pending_call
          where pending_call.owner = owed.answerer and pending_call.id > owed.shown_mark
            and (pending_call.status in ('pending', 'asking') or exists (
              select 1 from inbox_event result where result.id = pending_call.event_id
            ))
        )
        and not exists (
          select 1 from message told
          where told.sender = owed.answerer and told.recipient = owed.asker
            and told.id > owed.shown_mark and told.sync = 0
            and told.idempotency_key is not null
        )
      order by message_id
      """;

  private PendingReplies() {}

  /// One open wait.
  record Open(MessageId question, String asker, String answerer, boolean isQuestion) {}

  static void open(Tx tx, Message message, boolean isQuestion, Instant now) {
    tx.update(
        OPEN,
        message.id().value(),
        message.sender(),
        message.recipient(),
        now,
        isQuestion ? "question" : "broadcast",
        now.plus(PATIENCE));
  }

  /// From now on the answerer may answer it. The mark stays from the first time: what an attempt
  /// that died has asked or told since then still counts.
  static void shown(Tx tx, MessageId question, Instant now) {
    tx.update(
        """
        update pending_reply set shown_at = ?, shown_mark = coalesce(shown_mark, ?)
        where message_id = ?
        """,
        now,
        MessageId.random().value(),
        question.value());
  }

  /// A new attempt has not come to it yet.
  static void notShown(Tx tx, MessageId question) {
    tx.update("update pending_reply set shown_at = null where message_id = ?", question.value());
  }

  /// False if somebody else has ended the wait meanwhile.
  static boolean close(Tx tx, MessageId question) {
    return tx.update("delete from pending_reply where message_id = ?", question.value()) == 1;
  }

  static Optional<Open> find(Tx tx, MessageId question, String answerer) {
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
  static Optional<Open> findInBroadcast(Tx tx, MessageId broadcast, String answerer) {
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

  /// What a message from `answerer` to `asker` answers, if anything.
  static Optional<Open> next(Tx tx, String answerer, String asker) {
    return tx.find(NEXT, PendingReplies::open, answerer, asker);
  }

  static List<Open> owed(Tx tx, String answerer) {
    return tx.list(OWED, PendingReplies::open, answerer);
  }

  /// Everything somebody expects of `answerer`.
  static List<Open> expectedOf(Tx tx, String answerer) {
    return tx.list(
        "select message_id, asker, answerer, kind from pending_reply where answerer = ?",
        PendingReplies::open,
        answerer);
  }

  /// Questions that `answerer` has seen and not answered.
  static List<Open> shownTo(Tx tx, String answerer) {
    return tx.list(
        """
        select message_id, asker, answerer, kind from pending_reply
        where answerer = ? and kind = 'question' and shown_at is not null
        order by message_id
        """,
        PendingReplies::open,
        answerer);
  }

  /// Those of them whose askers still wait. Whose time is over has been told so, or is about to be.
  static List<Open> answerable(Tx tx, String answerer, Instant now) {
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

  /// Whether somebody waits for an answer to this message.
  static boolean isAwaited(Tx tx, MessageId message) {
    return tx.number(
            "select count(*) as n from pending_reply where message_id = ? and kind = 'question'",
            message.value())
        > 0;
  }

  static List<Open> overdue(Tx tx, Instant now) {
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

  /// Nobody hears the answers any more.
  static void forget(Tx tx, String asker) {
    tx.update("delete from pending_reply where asker = ?", asker);
  }

  /// Whom `agent` has asked and not heard from.
  public static List<String> askedBy(Tx tx, String agent) {
    return tx.list(
        """
        select distinct answerer from pending_reply
        where asker = ? and kind = 'question'
        """,
        row -> row.text("answerer"),
        agent);
  }

  private static Open open(Row row) {
    return new Open(
        new MessageId(row.text("message_id")),
        row.text("asker"),
        row.text("answerer"),
        row.text("kind").equals("question"));
  }
}
