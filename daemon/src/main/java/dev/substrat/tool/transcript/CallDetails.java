package dev.substrat.tool.transcript;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventDetails;
import dev.substrat.store.event.NewEvent;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Adds tool and arguments to `tool_called` events of successful calls: the row of the call has
/// them.
public final class CallDetails implements EventDetails {
  /// Payload key: the id of the row in the run's transcript.
  private static final String ROW = "row";

  private static final String SELECT =
      """
      select id, tool_name, substr(tool_input, 1, %d) as tool_input
      from run_message where run_id = ? and id in (select value from MEMBERS)
      """
          .formatted(LIMIT);

  /// The event without what the row has.
  public static NewEvent refer(NewEvent event, String row) {
    return event.with(ROW, row);
  }

  private record Call(String id, String tool, String input) {}

  @Override
  public List<Event> add(Tx tx, List<Event> events) {
    Map<String, List<String>> rows =
        events.stream()
            .filter(event -> event.run() != null && event.payload().has(ROW))
            .collect(
                Collectors.groupingBy(
                    event -> Objects.requireNonNull(event.run()),
                    Collectors.mapping(CallDetails::row, Collectors.toList())));
    if (rows.isEmpty()) {
      return events;
    }
    Map<String, Call> calls =
        rows.entrySet().stream()
            .flatMap(run -> of(tx, run.getKey(), run.getValue()).stream())
            .collect(Collectors.toMap(Call::id, call -> call));
    return events.stream()
        .map(event -> event.payload().has(ROW) ? complete(event, calls.get(row(event))) : event)
        .toList();
  }

  private static List<Call> of(Tx tx, String run, List<String> rows) {
    return tx.list(
        SELECT.replace("MEMBERS", tx.dialect().members()),
        row -> new Call(row.text("id"), row.text("tool_name"), row.text("tool_input")),
        run,
        Json.text(rows));
  }

  private static String row(Event event) {
    return event.payload().path(ROW).asText();
  }

  private static Event complete(Event event, @Nullable Call call) {
    ObjectNode stored = event.payload();
    var payload = Json.object();
    payload.set("agent", stored.path("agent"));
    if (call != null) {
      payload.put("tool", call.tool());
      payload.set("arguments", EventDetails.json(call.input()));
    }
    payload.put("ok", true);
    stored.properties().stream()
        .filter(one -> !payload.has(one.getKey()) && !one.getKey().equals(ROW))
        .forEach(one -> payload.set(one.getKey(), one.getValue()));
    return event.with(payload);
  }
}
