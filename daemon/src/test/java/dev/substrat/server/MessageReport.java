package dev.substrat.server;

import dev.substrat.store.Tx;
import java.util.ArrayList;
import java.util.List;

/// Everything the database has about one message, in order, for failure messages.
final class MessageReport {
  /// Kind of line, and a query whose only column is the text.
  private static final List<String> CHAPTERS =
      List.of(
          """
          select 'message "' || text || '" from ' || sender || ' to ' || recipient || ', ' || status
            || ', stored ' || stored_at || ' claimed ' || coalesce(claimed_at, 0)
            || ' injected ' || coalesce(injected_at, 0) || ' read ' || coalesce(read_at, 0)
            || coalesce(' held: ' || held_reason, '') || coalesce(' dead: ' || dead_reason, '') as line
          from message where id = ?
          """,
          """
          select 'waits in the inbox of ' || agent.handle || ', turn '
            || coalesce(inbox_event.turn_no, -9) || ', attempts ' || attempts || ', not before '
            || not_before || ', soft ' || soft || ', held ' || held
            || ' (agent: turn ' || agent.turn_no || ', leased to ' || coalesce(lease_owner, 'nobody')
            || ' until ' || coalesce(lease_until, 0) || ', gated ' || gated || ')' as line
          from inbox_event join agent on agent.id = inbox_event.agent_id where inbox_event.id = ?
          """,
          """
          select 'given to turn ' || run.turn_no || ' of ' || agent.handle || ' (' || run.id || '), '
            || run.status || coalesce(', ' || stop_reason, '') || ', from ' || started_at || ' to '
            || coalesce(ended_at, 0) || ', shown ' || coalesce(shown_at, 0) as line
          from run_event join run on run.id = run_event.run_id join agent on agent.id = run.agent_id
          where event_id = ? order by run.id
          """,
          """
          select 'open since ' || asked_at || ', shown ' || coalesce(shown_at, 0) || ', owed by '
            || answerer as line
          from pending_reply where message_id = ?
          """,
          """
          select 'answered by ' || kind || ' ' || id || ' "' || text || '" from ' || sender as line
          from message where in_reply_to = ? order by id
          """,
          """
          select 'led to ' || kind || ' ' || id || ' "' || text || '" to ' || recipient || ', '
            || status as line
          from message where cause_id = ? order by id
          """);

  private MessageReport() {}

  static String of(Tx tx, String message) {
    var lines = new ArrayList<String>();
    lines.add("the story of " + message);
    for (String chapter : CHAPTERS) {
      lines.addAll(tx.list(chapter, row -> "  " + row.text("line"), message));
    }
    return String.join("\n", lines);
  }
}
