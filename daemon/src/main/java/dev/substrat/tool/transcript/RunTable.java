package dev.substrat.tool.transcript;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Writes the table `run`. Several layers record their part of a run: its start and end, the chain
/// of messages that caused it, the space it is about.
public final class RunTable {
  private RunTable() {}

  /// Inserts the row of a turn that starts. `configHash` names the agent's configuration.
  public static void start(
      Tx tx, ToolCaller caller, Instant now, String configHash, RunStart start) {
    tx.update(
        """
        insert into run
          (id, agent_id, turn_no, status, started_at, depth, config_hash, attempt, retry_of, cause_id,
           subject)
        values (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)
        """,
        caller.run().value(),
        caller.agent().id().value(),
        caller.turn(),
        now,
        caller.depth(),
        configHash,
        start.attempt(),
        start.retryOf(),
        start.cause(),
        start.subject());
  }

  /// Data at the start of a turn: attempt, retried run, cause and subject.
  public record RunStart(
      long attempt, @Nullable String retryOf, @Nullable String cause, @Nullable String subject) {}

  /// Opens the run of an external agent. Turn 0 is used by no turn, so that two requests at the
  /// same time open one run; a closed one is opened again.
  public static void openExternal(Tx tx, String agent, Instant now) {
    tx.update(
        """
        insert into run (id, agent_id, turn_no, status, started_at)
        values (?, ?, 0, 'open', ?)
        on conflict (agent_id, turn_no) do update
        set status = 'open', stop_reason = null, ended_at = null, cut_short = 0
        """,
        RunId.random().value(),
        agent,
        now);
  }

  public static void closeExternal(Tx tx, String agent, String reason, Instant now) {
    tx.update(
        """
        update run set status = 'done', stop_reason = ?, ended_at = ?
        where agent_id = ? and turn_no = 0 and status = 'open'
        """,
        reason,
        now,
        agent);
  }

  public static void end(
      Tx tx,
      RunId run,
      String status,
      @Nullable String reason,
      @Nullable String response,
      Instant now) {
    tx.update(
        "update run set status = ?, stop_reason = ?, response = ?, ended_at = ? where id = ?",
        status,
        reason,
        response,
        now,
        run.value());
  }

  /// Ends a run whose daemon died or lost its lease.
  public static void fail(Tx tx, String run, String reason, Instant now) {
    tx.update(
        """
        update run set status = 'failed', stop_reason = ?, ended_at = ?, cut_short = 1
        where id = ?
        """,
        reason,
        now,
        run);
  }

  /// Returns false if the run had ended already.
  public static boolean cancel(Tx tx, String run, String reason, Instant now) {
    return tx.update(
            """
            update run set status = 'cancelled', stop_reason = ?, ended_at = ?, cut_short = 1
            where id = ? and status = 'running'
            """,
            reason,
            now,
            run)
        == 1;
  }

  /// Records that the turn was ended from outside.
  public static void setCutShort(Tx tx, RunId run) {
    tx.update("update run set cut_short = 1 where id = ?", run.value());
  }

  /// Sets depth and cause of a turn without a subject.
  public static void setChain(Tx tx, RunId run, int depth, @Nullable MessageId cause) {
    tx.update(
        "update run set depth = ?, cause_id = ? where id = ? and subject is null and turn_no > 0",
        depth,
        cause == null ? null : cause.value(),
        run.value());
  }

  /// Records the space that the turn is about. If the turn retries a run about the same events, it
  /// takes over whether that run answered there.
  public static void setSpace(Tx tx, RunId run, String space) {
    tx.update(
        """
        update run set space_id = ?, active_space = ?, space_answered = coalesce(
          (select earlier.space_answered from run earlier
           where earlier.id = run.retry_of and earlier.space_id = ? and not exists (
             select 1 from run_event mine where mine.run_id = run.id and not exists (
               select 1 from run_event theirs
               where theirs.event_id = mine.event_id and theirs.run_id = earlier.id))),
          0)
        where id = ?
        """,
        space,
        space,
        space,
        run.value());
  }

  /// Records that the turn posted or reacted in the space that it is about.
  public static void setAnswered(Tx tx, RunId run, String space) {
    tx.update(
        "update run set space_answered = 1 where id = ? and space_id = ? and space_answered = 0",
        run.value(),
        space);
  }

  /// Records after which message of the space the turn finished without posting.
  public static void setUnposted(Tx tx, RunId run, long afterSeq) {
    tx.update("update run set unposted_after = ? where id = ?", afterSeq, run.value());
  }

  /// Returns false if the turn had no active space of its own.
  public static boolean clearActiveSpace(Tx tx, RunId run) {
    return tx.update(
            "update run set active_space = null where id = ? and active_space is not null",
            run.value())
        == 1;
  }

  /// Clears the active space of the agent's running turn if it is `space`.
  public static void clearActiveSpace(Tx tx, String agent, String space) {
    tx.update(
        """
        update run set active_space = null
        where agent_id = ? and status = 'running' and active_space = ?
        """,
        agent,
        space);
  }
}
