package dev.substrat.messaging.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.store.event.Event;
import dev.substrat.store.event.EventDetails;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Adds the text of the message to `message_sent` events, and what else its row says.
final class SentMessageDetails implements EventDetails {
  private static final String SELECT =
      """
      select id, kind, sync, in_reply_to, substr(text, 1, %d) as text
      from message where id in (select value from MEMBERS)
      """
          .formatted(LIMIT);

  @Override
  public List<Event> add(Tx tx, List<Event> events) {
    List<String> ids =
        events.stream().filter(event -> !isComplete(event)).map(SentMessageDetails::id).toList();
    if (ids.isEmpty()) {
      return events;
    }
    var found = new HashMap<String, Sent>();
    tx.list(
            SELECT.replace("MEMBERS", tx.dialect().members()),
            SentMessageDetails::sent,
            Json.text(ids))
        .forEach(sent -> found.put(sent.id(), sent));
    return events.stream().map(event -> complete(event, found)).toList();
  }

  private record Sent(
      String id, String kind, String text, boolean sync, @Nullable String inReplyTo) {}

  private static Sent sent(ResultRow row) {
    return new Sent(
        row.text("id"),
        row.text("kind"),
        row.text("text"),
        row.flag("sync"),
        row.textOrNull("in_reply_to"));
  }

  private static boolean isComplete(Event event) {
    return event.payload().has("text");
  }

  private static String id(Event event) {
    return event.payload().path("message_id").asText();
  }

  private static Event complete(Event event, Map<String, Sent> found) {
    Sent sent = found.get(id(event));
    if (isComplete(event) || sent == null) {
      return event;
    }
    ObjectNode stored = event.payload();
    var payload =
        Json.object()
            .put("message_id", sent.id())
            .put("messageKind", sent.kind())
            .put("from", stored.path("from").asText())
            .put("to", stored.path("to").asText());
    payload.set("text", EventDetails.text(sent.text()));
    payload.put("sync", sent.sync());
    if (stored.has("held")) {
      payload.set("held", stored.get("held"));
    }
    if (sent.inReplyTo() != null) {
      payload.put("in_reply_to", sent.inReplyTo());
    }
    // What is left, for example who acted for the sender.
    stored.properties().stream()
        .filter(one -> !payload.has(one.getKey()))
        .forEach(one -> payload.set(one.getKey(), one.getValue()));
    return event.with(payload);
  }
}
