package dev.substrat.space.wakeup;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The table of rounds; see [SequentialRounds].
final class SequentialRoundTable {
  private static final String SELECT =
      "select message_id, space_id, queue, waiting, due_at from space_round ";

  private SequentialRoundTable() {}

  /// A round by the message that began it: who is still to come, and who is waited for until when.
  record SequentialRound(
      MessageId message,
      String space,
      List<String> queue,
      @Nullable String waiting,
      @Nullable Instant dueAt) {}

  static void insert(Tx tx, SpaceMessage message, List<WakeupCandidate> members, boolean isHeld) {
    tx.update(
        "insert into space_round (message_id, space_id, seq, state, queue) values (?, ?, ?, ?, ?)",
        message.id().value(),
        message.space(),
        message.seq(),
        isHeld ? "held" : "queued",
        members.stream().map(agent -> agent.id().value()).collect(Collectors.joining(" ")));
  }

  static Optional<SequentialRound> find(Tx tx, MessageId message) {
    return tx.find(SELECT + "where message_id = ?", SequentialRoundTable::round, message.value());
  }

  static Optional<SequentialRound> findQueued(Tx tx, String space) {
    return tx.find(
        SELECT + "where space_id = ? and state = 'queued' order by seq limit 1",
        SequentialRoundTable::round,
        space);
  }

  static boolean isRunning(Tx tx, String space) {
    return tx.number(
            "select count(*) as n from space_round where space_id = ? and state = 'running'", space)
        > 0;
  }

  static List<SequentialRound> waitingFor(Tx tx, AgentId agent) {
    return tx.list(
        SELECT + "where waiting = ? order by space_id", SequentialRoundTable::round, agent.value());
  }

  /// Held rounds that include the agent.
  static List<SequentialRound> heldFrom(Tx tx, AgentId agent) {
    return tx.list(
        SELECT + "where state = 'held' and ' ' || queue || ' ' like ? order by seq",
        SequentialRoundTable::round,
        "% " + agent.value() + " %");
  }

  /// The round no longer waits for the agent.
  static void skip(Tx tx, SequentialRound round, AgentId agent) {
    List<String> others =
        round.queue().stream().filter(member -> !member.equals(agent.value())).toList();
    if (others.isEmpty()) {
      end(tx, round);
    } else {
      tx.update(
          "update space_round set queue = ? where message_id = ?",
          String.join(" ", others),
          round.message().value());
    }
  }

  static List<SequentialRound> due(Tx tx, Instant now) {
    return tx.list(
        SELECT + "where due_at <= ? order by space_id limit 100", SequentialRoundTable::round, now);
  }

  static void wait(
      Tx tx, SequentialRound round, AgentId agent, Collection<String> queue, Instant until) {
    tx.update(
        """
        update space_round set state = 'running', waiting = ?, queue = ?, due_at = ?
        where message_id = ?
        """,
        agent.value(),
        String.join(" ", queue),
        until,
        round.message().value());
  }

  static void waitUntil(Tx tx, SequentialRound round, AgentId agent, Instant until) {
    wait(tx, round, agent, round.queue(), until);
  }

  static void end(Tx tx, SequentialRound round) {
    tx.update("delete from space_round where message_id = ?", round.message().value());
  }

  /// Depth starts from 0 again, as for other released messages.
  static int release(Tx tx, String space) {
    tx.update(
        """
        update space_message set depth = 0
        where id in (select message_id from space_round where space_id = ? and state = 'held')
        """,
        space);
    return tx.update(
        "update space_round set state = 'queued' where space_id = ? and state = 'held'", space);
  }

  private static SequentialRound round(ResultRow row) {
    String queue = row.text("queue");
    return new SequentialRound(
        new MessageId(row.text("message_id")),
        row.text("space_id"),
        queue.isEmpty() ? List.of() : List.of(queue.split(" ")),
        row.textOrNull("waiting"),
        row.instantOrNull("due_at"));
  }
}
