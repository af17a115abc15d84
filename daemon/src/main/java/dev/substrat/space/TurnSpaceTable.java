package dev.substrat.space;

import dev.substrat.platform.identity.RunId;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.transcript.RunTable;
import java.util.List;
import java.util.Optional;

/// The columns of a run that describe the space its turn is about. A retry of the turn reads them,
/// on any daemon.
final class TurnSpaceTable {
  private TurnSpaceTable() {}

  /// Posts of an earlier attempt at this turn still count, unless there are newer messages in the
  /// space.
  static void begin(Tx tx, ToolCaller caller, String space) {
    RunTable.setSpace(tx, caller.run(), space);
  }

  static Optional<String> find(Tx tx, RunId run) {
    return tx.find(
        "select space_id from run where id = ? and space_id is not null",
        row -> row.text("space_id"),
        run.value());
  }

  /// The same, if the turn has neither posted nor reacted there.
  static Optional<String> findUnanswered(Tx tx, RunId run) {
    return tx.find(
        "select space_id from run where id = ? and space_id is not null and space_answered = 0",
        row -> row.text("space_id"),
        run.value());
  }

  /// The turn has posted or reacted in `space`. The caller holds the lock of the space.
  static void answered(Tx tx, ToolCaller caller, String space) {
    RunTable.setAnswered(tx, caller.run(), space);
  }

  /// Final texts of turns that finished without posting in a space, oldest first: the newest
  /// `limit` after message `from` and before message `before`.
  static List<UnpostedText> unposted(Tx tx, String space, long from, long before, int limit) {
    return tx.list(
            """
            select run.id, run.agent_id, handle, response, unposted_after, ended_at
            from run join agent on agent.id = run.agent_id
            where space_id = ? and unposted_after >= ? and unposted_after < ?
            order by unposted_after desc, run.ended_at desc, run.id desc
            limit ?
            """,
            TurnSpaceTable::unposted,
            space,
            from,
            before,
            limit)
        .reversed();
  }

  private static UnpostedText unposted(ResultRow row) {
    return new UnpostedText(
        new RunId(row.text("id")),
        new SpaceMember(row.text("agent_id")),
        row.text("handle"),
        row.text("response"),
        row.number("unposted_after"),
        row.instant("ended_at"));
  }

  static void unposted(Tx tx, ToolCaller caller, long afterSeq) {
    RunTable.setUnposted(tx, caller.run(), afterSeq);
  }
}
