package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// Demo team: an office of twelve agents with channels, DMs and memory.
record OfficeTeam(DemoClient client) {
  /// The demo ends after these agents have posted in `general`.
  private static final Set<String> LAST_AUTHORS = Set.of("nadia", "theo");

  /// Counts of one run of the demo.
  record OfficeResult(int messages, int reactions, int spaces, int memories) {

    String summary() {
      return "%d messages in %d spaces, %d reactions, %d memory changes."
          .formatted(messages, spaces, reactions, memories);
    }
  }

  void assemble() throws InterruptedException {
    client.assemble("office.yaml");
  }

  /// Posts a message in `general` and follows the events until the last authors have posted and all
  /// agents are idle.
  OfficeResult post(String news, Consumer<JsonNode> listener) throws InterruptedException {
    var progress = new EventCounts(listener);
    client.follow(
        () -> client.post("/api/spaces/general/messages", Json.object().put("text", news)),
        progress::add);
    return new OfficeResult(
        progress.messages, progress.reactions, progress.spaces.size(), progress.memories);
  }

  /// Counts of the events so far.
  private static final class EventCounts {
    private final Consumer<JsonNode> listener;
    private final Set<String> waiting = new HashSet<>(LAST_AUTHORS);
    private final Set<String> atWork = new HashSet<>();
    private final Set<String> spaces = new HashSet<>();
    private int messages;
    private int reactions;
    private int memories;

    EventCounts(Consumer<JsonNode> listener) {
      this.listener = listener;
    }

    boolean add(JsonNode event) {
      listener.accept(event);
      switch (event.path("kind").asText()) {
        case "message_created" -> {
          messages++;
          spaces.add(event.path("space").asText());
          if (event.path("space").asText().equals("general")) {
            waiting.remove(event.path("author").asText());
          }
        }
        case "reaction_added" -> reactions++;
        case "memory_updated", "passage_stored" -> memories++;
        case "turn_started" -> atWork.add(event.path("agent").asText());
        case "turn_ended" -> atWork.remove(event.path("agent").asText());
        default -> {}
      }
      return waiting.isEmpty() && atWork.isEmpty();
    }
  }
}
