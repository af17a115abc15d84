package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.function.Consumer;

/// Team harbor: one asks another, who asks a third.
final class HarborTeam {
  private final DemoVisitor visitor;

  HarborTeam(DemoVisitor visitor) {
    this.visitor = visitor;
  }

  /// How a question went.
  record Story(String answer, int messages, int turns, Duration took) {

    String summary() {
      return "%d messages, %d turns, %.1f s; each was on disk before it was acknowledged."
          .formatted(messages, turns, took.toMillis() / 1000.0);
    }
  }

  void assemble() throws InterruptedException {
    visitor.assemble("harbor.yaml");
  }

  /// Asks mira and follows what happens until her answer is there.
  Story ask(String question, Consumer<JsonNode> told) throws InterruptedException {
    long start = System.nanoTime();
    var hearing = new Hearing(told);
    visitor.hear(() -> hearing.ask(question), hearing::hear);
    return new Story(
        hearing.answer,
        hearing.messages,
        hearing.turns,
        Duration.ofNanos(System.nanoTime() - start));
  }

  /// What was heard so far.
  private final class Hearing {
    private final Consumer<JsonNode> told;
    private String question = "";
    private String answer = "";
    private int messages;
    private int turns;

    Hearing(Consumer<JsonNode> told) {
      this.told = told;
    }

    void ask(String text) throws InterruptedException {
      question =
          visitor
              .post("/api/agents/mira/messages", Json.object().put("text", text).put("sync", true))
              .path("message_id")
              .asText();
    }

    /// True once mira's turn with the answer is over.
    boolean hear(JsonNode event) {
      told.accept(event);
      switch (event.path("kind").asText()) {
        case "message_sent" -> {
          messages++;
          if (event.path("in_reply_to").asText().equals(question)) {
            answer = event.path("text").asText();
          }
        }
        case "turn_ended" -> turns++;
        default -> {}
      }
      return event.path("kind").asText().equals("turn_ended") && !answer.isEmpty();
    }
  }
}
