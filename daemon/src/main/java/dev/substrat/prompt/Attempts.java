package dev.substrat.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.id.AgentId;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.json.Json;
import dev.substrat.prompt.Attempt.Did;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds what turns that died had done about the same events.
final class Attempts {
  /// An event is tried a few times, with other turns in between at most; so a short look back is
  /// enough, however long the agent has lived.
  private static final int LOOK_BACK = 50;

  private static final String UNFINISHED =
      """
      select id, stop_reason from run
      where agent_id = ? and turn_no < ? and turn_no >= ? and status in ('failed', 'running')
      order by turn_no
      """;

  private static final String CALLS =
      """
      select asked.tool_name, asked.tool_input, answered.content
      from run_message asked
      left join run_message answered
        on answered.run_id = asked.run_id
          and answered.tool_call_id = asked.tool_call_id
          and answered.type = 'tool_return_message'
      where asked.run_id = ? and asked.type = 'tool_call_message'
      order by asked.id
      """;

  private Attempts() {}

  /// Those before `turn` that were given one of `events`, oldest first.
  static List<Attempt> before(Tx tx, AgentId agent, long turn, List<InboxEvent> events) {
    return tx.list(UNFINISHED, Attempts::unfinished, agent.value(), turn, turn - LOOK_BACK).stream()
        .filter(run -> wasGiven(tx, run, events))
        .map(run -> new Attempt(run.reason(), tx.list(CALLS, Attempts::did, run.id())))
        .toList();
  }

  private static boolean wasGiven(Tx tx, Unfinished run, List<InboxEvent> events) {
    return tx
        .list(
            "select message_id, payload from run_event where run_id = ?",
            row -> new Recorded(row.textOrNull("message_id"), Json.own(row.text("payload"))),
            run.id())
        .stream()
        .anyMatch(recorded -> events.stream().anyMatch(recorded::is));
  }

  private static Unfinished unfinished(Row row) {
    @Nullable String reason = row.textOrNull("stop_reason");
    return new Unfinished(row.text("id"), reason == null ? "its daemon went away" : reason);
  }

  private static Did did(Row row) {
    return new Did(
        row.text("tool_name"), Json.own(row.text("tool_input")), row.textOrNull("content"));
  }

  private record Unfinished(String id, String reason) {}

  /// An event as a run's record has it. What is no message is known by what it says.
  private record Recorded(@Nullable String message, JsonNode payload) {
    boolean is(InboxEvent event) {
      return event.message() == null
          ? message == null && payload.equals(event.payload())
          : event.message().value().equals(message);
    }
  }
}
