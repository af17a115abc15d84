package dev.substrat.teamtest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.event.Event;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Formats events as text lines for failure messages.
final class EventDescriptions {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
  private static final int MAX_QUOTE_LENGTH = 80;
  private static final int PAIRS = 5;

  private EventDescriptions() {}

  /// One line for each of the newest `limit` messages and turns, oldest first.
  static List<String> newest(List<Event> events, int limit) {
    List<String> lines =
        events.stream().map(EventDescriptions::line).flatMap(Optional::stream).toList();
    return lines.subList(Math.max(0, lines.size() - limit), lines.size());
  }

  private static Optional<String> line(Event event) {
    JsonNode about = event.payload();
    String what =
        switch (event.kind()) {
          case "message_sent" ->
              "%s → %s (%s): %s"
                  .formatted(
                      about.path("from").asText(),
                      about.path("to").asText(),
                      about.path("messageKind").asText(),
                      quoted(about.path("text").asText()));
          case "message_dead" -> "a message became a dead letter: " + about.path("reason").asText();
          case "turn_started" -> turn(about) + " begins";
          case "turn_ended" ->
              turn(about)
                  + " is "
                  + about.path("status").asText()
                  + (about.hasNonNull("stopReason")
                      ? ": " + about.path("stopReason").asText()
                      : "");
          default -> "";
        };
    return what.isEmpty() ? Optional.empty() : Optional.of(TIME.format(event.at()) + "  " + what);
  }

  private static String turn(JsonNode about) {
    return about.path("agent").asText() + "'s turn " + about.path("turn").asLong();
  }

  /// The pairs with the most messages among these events: `ada → ben 14`.
  static String busiest(List<Event> events) {
    Map<String, Long> pairs =
        events.stream()
            .filter(event -> event.kind().equals("message_sent"))
            .map(event ->
                event.payload().path("from").asText() + " → " + event.payload().path("to").asText())
            .collect(
                Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    return pairs.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(PAIRS)
        .map(pair -> pair.getKey() + " " + pair.getValue())
        .collect(Collectors.joining(", "));
  }

  /// Turns that have started and not ended.
  static String underWay(List<Event> events) {
    var open = new TreeMap<String, String>();
    for (Event event : events) {
      String run = String.valueOf(event.run());
      switch (event.kind()) {
        case "turn_started" -> open.put(run, turn(event.payload()));
        case "turn_ended" -> open.remove(run);
        default -> {}
      }
    }
    return String.join(", ", open.values());
  }

  static String quoted(String text) {
    String line = text.replace("\n", "⏎");
    return line.length() <= MAX_QUOTE_LENGTH
        ? "“" + line + "”"
        : "“" + line.substring(0, MAX_QUOTE_LENGTH) + "…”";
  }
}
