package dev.substrat.store.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import java.util.List;

/// Adds values to events of one kind that are stored without them, because another table has them.
///
/// Declared here, implemented by the owners of those tables: see [EventLog#complete].
@FunctionalInterface
public interface EventDetails {
  /// More characters than an event shows need not be read.
  int LIMIT = NewEvent.MAX_LENGTH + 1;

  /// The same events, in the same order. Events of older versions may have the values already.
  List<Event> add(Tx tx, List<Event> events);

  /// A text of which at most [#LIMIT] characters were read, as events show it.
  static JsonNode text(String read) {
    return NewEvent.bounded(new TextNode(read));
  }

  /// The same for JSON: a truncated one is shown as text.
  static JsonNode json(String read) {
    return read.length() < LIMIT ? NewEvent.bounded(Json.own(read)) : text(read);
  }
}
