package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/// The office of Larch & Sons: a dozen people in channels and in private, who remember.
final class OfficeTeam {
  /// Those whose word ends the matter.
  private static final Set<String> LAST_WORDS = Set.of("nadia", "theo");

  private final DemoVisitor visitor;

  OfficeTeam(DemoVisitor visitor) {
    this.visitor = visitor;
  }

  /// How a day went.
  record Day(int messages, int reactions, int spaces, int memories) {

    String summary() {
      return "%d messages in %d spaces, %d reactions, %d memories kept or changed."
          .formatted(messages, spaces, reactions, memories);
    }
  }

  void assemble() throws InterruptedException {
    visitor.assemble("office.yaml");
  }

  /// Says something to everybody and follows what comes of it, until the matter is settled and
  /// everyone is at rest.
  Day say(String news, Consumer<JsonNode> told) throws InterruptedException {
    var hearing = new Hearing(told);
    visitor.hear(
        () -> visitor.post("/api/spaces/general/messages", Json.object().put("text", news)),
        hearing::hear);
    return new Day(hearing.messages, hearing.reactions, hearing.spaces.size(), hearing.memories);
  }

  /// What was heard so far.
  private static final class Hearing {
    private final Consumer<JsonNode> told;
    private final Set<String> unsaid = new HashSet<>(LAST_WORDS);
    private final Set<String> atWork = new HashSet<>();
    private final Set<String> spaces = new HashSet<>();
    private int messages;
    private int reactions;
    private int memories;

    Hearing(Consumer<JsonNode> told) {
      this.told = told;
    }

    boolean hear(JsonNode event) {
      told.accept(event);
      switch (event.path("kind").asText()) {
        case "message_created" -> {
          messages++;
          spaces.add(event.path("space").asText());
          if (event.path("space").asText().equals("general")) {
            unsaid.remove(event.path("author").asText());
          }
        }
        case "reaction_added" -> reactions++;
        case "memory_updated", "passage_stored" -> memories++;
        case "turn_started" -> atWork.add(event.path("agent").asText());
        case "turn_ended" -> atWork.remove(event.path("agent").asText());
        default -> {}
      }
      return unsaid.isEmpty() && atWork.isEmpty();
    }
  }
}
