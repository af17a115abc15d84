package dev.substrat.examples;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.util.function.Consumer;

/// Demo team: mira asks ada and ben, and ada asks noor.
record HarborTeam(DemoClient client) {

  /// Answer and counts of one question.
  record QuestionResult(String answer, int messages, int turns, Duration took) {

    String summary() {
      return "%d messages, %d turns, %.1f s; each message was on disk before it was acknowledged."
          .formatted(messages, turns, took.toMillis() / 1000.0);
    }
  }

  void assemble() throws InterruptedException {
    client.assemble("harbor.yaml");
  }

  /// Asks mira and follows the events until her answer arrives.
  QuestionResult ask(String question, Consumer<JsonNode> listener) throws InterruptedException {
    long start = System.nanoTime();
    var progress = new EventCounts(listener);
    client.follow(() -> progress.ask(question), progress::add);
    return new QuestionResult(
        progress.answer,
        progress.messages,
        progress.turns,
        Duration.ofNanos(System.nanoTime() - start));
  }

  /// Counts of the events so far.
  private final class EventCounts {
    private final Consumer<JsonNode> listener;
    private String question = "";
    private String answer = "";
    private int messages;
    private int turns;

    EventCounts(Consumer<JsonNode> listener) {
      this.listener = listener;
    }

    void ask(String text) throws InterruptedException {
      question =
          client
              .post("/api/agents/mira/messages", Json.object().put("text", text).put("sync", true))
              .path("message_id")
              .asText();
    }

    /// True when mira's turn with the answer has ended.
    boolean add(JsonNode event) {
      listener.accept(event);
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
