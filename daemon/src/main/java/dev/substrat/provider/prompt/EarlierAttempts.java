package dev.substrat.provider.prompt;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.prompt.EarlierAttempt.RecordedCall;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds unfinished earlier turns for the same events.
final class EarlierAttempts {
  private static final String UNFINISHED =
      """
      select run.id, run.turn_no, run.stop_reason
      from run_event join run on run.id = run_event.run_id
      where run_event.event_id = ? and run.agent_id = ? and run.turn_no < ?
        and run.status in ('failed', 'running')
      """;

  private static final String CALLS =
      """
      select asked.tool_name, asked.tool_input,
        case when asked.content = '' then answered.content else asked.content end as content
      from run_message asked
      left join run_message answered
        on answered.run_id = asked.run_id
          and answered.tool_call_id = asked.tool_call_id
          and answered.type = 'tool_return_message'
      where asked.run_id = ? and asked.type = 'tool_call_message'
      order by asked.id
      """;

  private EarlierAttempts() {}

  /// Attempts before `turn` with one of `events`, oldest first.
  static List<EarlierAttempt> before(Tx tx, AgentId agent, long turn, List<InboxEvent> events) {
    return events.stream()
        .flatMap(event ->
            tx
                .list(UNFINISHED, EarlierAttempts::unfinished, event.id(), agent.value(), turn)
                .stream())
        .distinct()
        .sorted(Comparator.comparingLong(Unfinished::turn))
        .map(
            run -> new EarlierAttempt(run.reason(), tx.list(CALLS, EarlierAttempts::did, run.id())))
        .toList();
  }

  private static Unfinished unfinished(ResultRow row) {
    @Nullable String reason = row.textOrNull("stop_reason");
    return new Unfinished(
        row.text("id"), row.number("turn_no"), reason == null ? "its daemon stopped" : reason);
  }

  private static RecordedCall did(ResultRow row) {
    return new RecordedCall(
        row.text("tool_name"), Json.own(row.text("tool_input")), row.textOrNull("content"));
  }

  private record Unfinished(String id, long turn, String reason) {}
}
