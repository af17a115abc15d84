package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Queue of inbox events, which wait until a turn of their agent has succeeded.
///
/// A claim stamps them with the turn; consuming deletes exactly those with its stamp. An event that
/// arrives during a turn has no stamp and waits for the next one, unless the agent checks its
/// inbox. If a turn dies, its events stay: the next claim takes them again.
///
/// The event of a message has the id of the message.
public final class Inbox {
  private static final String PUT =
      """
      insert into inbox_event
        (id, agent_id, kind, message_id, payload, not_before, soft, held, subject, soft_until)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /// Whether a soft event yields: its agent waits for a reply, or has one that it has not seen.
  /// Soft events come with the reply or after it, but never wait longer than [#MAX_HOLD_TIME]. It
  /// takes the time.
  public static final String WAITS_FOR_REPLY =
      """
      (exists (
        select 1 from pending_reply
        where pending_reply.asker = inbox_event.agent_id and pending_reply.kind = 'question'
      ) or exists (
        select 1 from inbox_event answer
        where answer.agent_id = inbox_event.agent_id and answer.soft = 0 and answer.held = 0
          and answer.kind in ('reply', 'notice') and answer.turn_no is null
          and answer.not_before <= ?
      ))
      """;

  private static final String LEFT_BEHIND =
      """
      update inbox_event set turn_no = null
      where agent_id = ? and turn_no > 0 and not exists (
        select 1 from agent
        where agent.id = inbox_event.agent_id
          and agent.turn_no = inbox_event.turn_no
          and agent.lease_until > NOW
      )
      """;

  static final String SELECT =
      """
      select id, kind, message_id, payload, attempts, soft, subject, brought, message_kind, message_text,
        message_sync, message_depth, message_answers
      from (
        select inbox_event.*, message.id as brought, COLUMNS
        from inbox_event left join message on message.id = inbox_event.id
      ) inbox_event
      """
          .replace("COLUMNS", MessagePayload.COLUMNS);

  private static final String GIVE_BACK =
      """
      update inbox_event set turn_no = null, attempts = attempts + 1, not_before = ?, postponed = 0
      where id = ? and turn_no = ?
      """;

  private static final String HURRY =
      """
      update inbox_event set not_before = ?, postponed = 0
      where agent_id = ? and not_before > ? and turn_no is null and held = 0
        and (postponed = 1 or FAILED)
      """;

  private static final String HURRY_POSTPONED = HURRY.replace("or FAILED", "");

  private static final String HURRY_FAILED =
      HURRY.replace(
          "FAILED", "exists (select 1 from run_event where run_event.event_id = inbox_event.id)");

  /// How long a soft event is held back while its agent waits for a reply.
  public static final Duration MAX_HOLD_TIME = Duration.ofMinutes(10);

  /// Turns count from 1; these values of `turn_no` are for agents without turns.
  static final long HANDED_OUT = 0;

  static final long READ_BATCH = -1;

  /// SQL condition for waiting events, claimed or not; for counting many inboxes in one query.
  public static final String WAITS = "(turn_no is null or turn_no <> " + READ_BATCH + ")";

  /// Messages are due immediately, whatever the clocks of the daemons that store and claim them
  /// say.
  private static final Instant AT_ANY_TIME = Instant.EPOCH;

  private Inbox() {}

  public static void put(Tx tx, AgentId agent, InboxEvent event, boolean held) {
    put(tx, agent, event, held, null);
  }

  /// The same for an event that arrives at `now`: if it is soft, it waits for replies only so long.
  public static void put(
      Tx tx, AgentId agent, InboxEvent event, boolean held, @Nullable Instant now) {
    tx.update(
        PUT,
        event.id(),
        agent.value(),
        event.kind(),
        event.message() == null || MessagePayload.isBrief(event) ? null : event.message().value(),
        MessagePayload.stored(event),
        AT_ANY_TIME,
        event.soft(),
        held,
        event.subject(),
        event.soft() && now != null ? now.plus(MAX_HOLD_TIME) : null);
  }

  /// Resets the attempts at an event of a message.
  public static void resetAttempts(Tx tx, MessageId message) {
    tx.update(
        """
        update inbox_event set since_turn = (select turn_no from agent where id = inbox_event.agent_id)
        where id = ?
        """,
        message.value());
  }

  /// Marks all waiting events of a fork as copies of another agent's events: one turn gets all of
  /// them, and they have no subject.
  public static void markCopies(Tx tx, AgentId agent) {
    tx.update(
        "update inbox_event set copied = 1, subject = null where agent_id = ?", agent.value());
  }

  public static boolean hasCopies(Tx tx, AgentId agent, long turn) {
    return tx.number(
            """
            select count(*) as n from inbox_event
            where agent_id = ? and turn_no = ? and copied = 1
            """,
            agent.value(),
            turn)
        > 0;
  }

  public static List<InboxEvent> claimedBy(Tx tx, AgentId agent, long turn) {
    return tx.list(
        SELECT + "where agent_id = ? and turn_no = ? order by id",
        Inbox::event,
        agent.value(),
        turn);
  }

  /// Stamps one event with a turn that is under way.
  public static void claim(Tx tx, InboxEvent event, long turn) {
    tx.update("update inbox_event set turn_no = ? where id = ?", turn, event.id());
  }

  public static void consume(Tx tx, InboxEvent event, long turn) {
    tx.update("delete from inbox_event where id = ? and turn_no = ?", event.id(), turn);
  }

  /// Adds the result of a pending call to a running turn, unless another turn has it. False if
  /// `run` is not the current turn of its agent.
  public static boolean claimResult(Tx tx, String call, RunId run) {
    return tx.update(
            """
            update inbox_event set turn_no = (select run.turn_no from run where run.id = ?)
            where inbox_event.turn_no is null
              and inbox_event.id = (select event_id from pending_call where id = ?)
              and exists (
                select 1 from run join agent
                  on agent.id = run.agent_id and agent.turn_no = run.turn_no
                where run.id = ? and run.status = 'running' and agent.id = inbox_event.agent_id
              )
            """,
            run.value(),
            call,
            run.value())
        == 1;
  }

  /// Removes the result of a pending call that its agent has received in another way. False if it
  /// is not in the inbox, or a turn has claimed it, or the agent was given it.
  public static boolean withdrawResult(Tx tx, String call) {
    return tx.update(
            """
            delete from inbox_event
            where turn_no is null and id = (select event_id from pending_call where id = ?)
            """,
            call)
        == 1;
  }

  /// Releases an event of a failed turn, to be retried after `pause`.
  public static void scheduleRetry(
      Tx tx, InboxEvent event, long turn, Instant now, Duration pause) {
    tx.update(GIVE_BACK, now.plus(pause), event.id(), turn);
  }

  /// Releases an event that its turn could not process; it does not count as an attempt.
  public static void putBack(Tx tx, InboxEvent event, long turn, Instant dueAt) {
    tx.update(
        "update inbox_event set turn_no = null, not_before = ? where id = ? and turn_no = ?",
        dueAt,
        event.id(),
        turn);
  }

  /// Postpones all due events of an agent.
  public static void postpone(Tx tx, AgentId agent, Instant now, Duration pause) {
    tx.update(
        "update inbox_event set not_before = ? where agent_id = ? and not_before <= ?",
        now.plus(pause),
        agent.value(),
        now);
  }

  /// The agent's provider is not available: all due events of the agent wait until `dueAt`, or
  /// until [#makePostponedDue].
  public static void postponeAll(Tx tx, AgentId agent, Instant now, Instant dueAt) {
    tx.update(
        """
        update inbox_event set not_before = ?, postponed = 1
        where agent_id = ? and not_before <= ? and turn_no is null and held = 0
        """,
        dueAt,
        agent.value(),
        now);
  }

  /// The provider is available again: postponed events are due immediately. An event whose own turn
  /// failed keeps its pause, so that its attempts are not used up within a second.
  public static void makePostponedDue(Tx tx, AgentId agent) {
    tx.update(HURRY_POSTPONED, AT_ANY_TIME, agent.value(), AT_ANY_TIME);
  }

  /// The agent's configuration has changed: postponed and failed events are due immediately. Events
  /// that are held for another reason stay held.
  public static void makeDue(Tx tx, AgentId agent) {
    tx.update(HURRY_FAILED, AT_ANY_TIME, agent.value(), AT_ANY_TIME);
  }

  /// Releases a held event; false if the agent has already seen it.
  public static boolean release(Tx tx, MessageId message) {
    return tx.update("update inbox_event set held = 0 where id = ?", message.value()) == 1;
  }

  /// Marks the event of a message as a question: its sender waits for the answer from now on.
  public static void becomesQuestion(Tx tx, MessageId message) {
    tx.find(SELECT + "where id = ?", Inbox::event, message.value())
        .map(event -> event.about(new TurnSubject.QuestionSubject(message).key()))
        .ifPresent(event ->
            tx.update(
                "update inbox_event set subject = ?, payload = ? where id = ?",
                event.subject(),
                MessagePayload.stored(event),
                event.id()));
  }

  /// The event of a message that no turn has claimed yet.
  public static Optional<InboxEvent> findUnclaimed(Tx tx, AgentId agent, MessageId message) {
    return tx.find(
        SELECT + "where id = ? and agent_id = ? and turn_no is null",
        Inbox::event,
        message.value(),
        agent.value());
  }

  /// Removes an event that no turn has claimed; false if a turn has it.
  public static boolean remove(Tx tx, InboxEvent event) {
    return tx.update("delete from inbox_event where id = ? and turn_no is null", event.id()) == 1;
  }

  /// Removes the event of a message that a failed turn released and that is answered now.
  public static void removeTried(Tx tx, MessageId message) {
    tx.update(
        """
        delete from inbox_event where id = ? and turn_no is null
          and exists (select 1 from run_event where run_event.event_id = inbox_event.id)
        """,
        message.value());
  }

  /// Whether an answer that belongs to the subject has arrived and was not given to a turn yet.
  public static boolean hasUnseenAnswer(Tx tx, AgentId agent, String subject) {
    return tx.find(
            """
            select 1 from inbox_event
            where agent_id = ? and subject = ? and soft = 0 and turn_no is null
              and kind in ('reply', 'notice', 'tool_result') limit 1
            """,
            _ -> true,
            agent.value(),
            subject)
        .isPresent();
  }

  /// Deletes all events of an agent and returns them, so that their senders can be notified.
  public static List<InboxEvent> removeAll(Tx tx, AgentId agent) {
    List<InboxEvent> left =
        tx.list(
            SELECT + "where agent_id = ? and (turn_no is null or turn_no <> ?) order by id",
            Inbox::event,
            agent.value(),
            READ_BATCH);
    tx.update("delete from inbox_event where agent_id = ?", agent.value());
    return left;
  }

  /// The agent is external now: returns events of its unfinished turns to its inbox.
  public static void releaseClaims(Tx tx, AgentId agent) {
    tx.update(LEFT_BEHIND.replace("NOW", tx.dialect().now()), agent.value());
  }

  /// Hands an event to an external agent; `batch` identifies the request that fetched it.
  public static void handOut(Tx tx, InboxEvent event, String batch) {
    tx.update(
        "update inbox_event set turn_no = ?, batch = ? where id = ?",
        HANDED_OUT,
        batch,
        event.id());
  }

  /// Events given to that request, read or not.
  public static List<InboxEvent> handedOutTo(Tx tx, AgentId agent, String batch) {
    return tx.list(
        SELECT + "where agent_id = ? and batch = ? order by id",
        Inbox::event,
        agent.value(),
        batch);
  }

  /// Unconfirmed events given to other requests than `batch`.
  public static List<InboxEvent> handedOutBefore(Tx tx, AgentId agent, String batch) {
    return tx.list(
        SELECT + "where agent_id = ? and turn_no = ? and batch <> ? order by id",
        Inbox::event,
        agent.value(),
        HANDED_OUT,
        batch);
  }

  /// Marks an event as read; a repeated request of its batch still returns it.
  public static void readBatch(Tx tx, InboxEvent event) {
    tx.update("update inbox_event set turn_no = ? where id = ?", READ_BATCH, event.id());
  }

  /// Removes the event of a message that counts as read. True if the inbox has no event of it then.
  public static boolean removeRead(Tx tx, MessageId message) {
    tx.update("delete from inbox_event where id = ? and turn_no = ?", message.value(), READ_BATCH);
    return tx.find("select 1 from inbox_event where id = ?", _ -> true, message.value()).isEmpty();
  }

  /// The agent has started another batch.
  public static void forgetBatches(Tx tx, AgentId agent) {
    tx.update("delete from inbox_event where agent_id = ? and batch is not null", agent.value());
  }

  /// Number of waiting events, claimed or not.
  public static long count(Tx tx, AgentId agent) {
    return tx.number(
        "select count(*) as n from inbox_event where agent_id = ? and " + WAITS, agent.value());
  }

  static InboxEvent event(ResultRow row) {
    @Nullable String brought = row.textOrNull("brought");
    @Nullable String message = brought == null ? row.textOrNull("message_id") : brought;
    return new InboxEvent(
        row.text("id"),
        InboxEvent.InboxEventKind.parse(row.text("kind")),
        message == null ? null : new MessageId(message),
        MessagePayload.read(row, row.text("id")),
        row.integer("attempts"),
        row.flag("soft"),
        row.textOrNull("subject"));
  }
}
