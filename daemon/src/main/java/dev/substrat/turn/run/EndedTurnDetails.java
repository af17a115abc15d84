package dev.substrat.turn.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventDetails;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Adds the final text to `turn_ended` events: the row of the run has it.
public final class EndedTurnDetails implements EventDetails {
  private static final String SELECT =
      """
      select id, substr(response, 1, %d) as response
      from run where response is not null and id in (select value from MEMBERS)
      """
          .formatted(LIMIT);

  @Override
  public List<Event> add(Tx tx, List<Event> events) {
    List<String> runs =
        events.stream()
            .filter(EndedTurnDetails::isWithoutText)
            .map(event -> Objects.requireNonNull(event.run()))
            .toList();
    if (runs.isEmpty()) {
      return events;
    }
    var responses = new HashMap<String, String>();
    tx.list(
            SELECT.replace("MEMBERS", tx.dialect().members()),
            row -> Map.entry(row.text("id"), row.text("response")),
            Json.text(runs))
        .forEach(one -> responses.put(one.getKey(), one.getValue()));
    return events.stream()
        .map(event -> isWithoutText(event) ? complete(event, responses) : event)
        .toList();
  }

  private static boolean isWithoutText(Event event) {
    return event.run() != null
        && event.payload().path("status").asText().equals("done")
        && !event.payload().has("response");
  }

  private static Event complete(Event event, Map<String, String> responses) {
    String response = responses.get(event.run());
    if (response == null) {
      return event;
    }
    ObjectNode payload = event.payload().deepCopy();
    payload.set("response", EventDetails.text(response));
    return event.with(payload);
  }
}
