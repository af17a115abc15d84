package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure;

/// Reads the streamed frames of Gemini. Its calls arrive complete, and often without an id.
final class GeminiReader implements ReplyReader {
  private final ReplyListener hearing;
  private final StreamedCalls calls;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder thinking = new StringBuilder();
  private final ArrayNode parts = Json.object().putArray("parts");
  private int number;
  private long inputTokens;
  private long outputTokens;
  private boolean isComplete;
  private boolean isCut;

  GeminiReader(ReplyListener hearing) {
    this.hearing = hearing;
    this.calls = new StreamedCalls(hearing);
  }

  @Override
  public void read(JsonNode frame) {
    if (frame.path("error").isObject()) {
      throw ModelFailure.interrupted(frame.path("error").path("message").asText("an error"));
    }
    String blocked = frame.path("promptFeedback").path("blockReason").asText("");
    if (!blocked.isEmpty()) {
      throw ModelFailure.invalid("the prompt was blocked: " + blocked);
    }
    JsonNode usage = frame.path("usageMetadata");
    if (usage.isObject()) {
      inputTokens = usage.path("promptTokenCount").asLong();
      outputTokens =
          usage.path("candidatesTokenCount").asLong() + usage.path("thoughtsTokenCount").asLong();
    }
    JsonNode candidate = frame.path("candidates").path(0);
    candidate.path("content").path("parts").forEach(this::part);
    end(candidate.path("finishReason").asText(""));
  }

  private void end(String reason) {
    switch (reason) {
      case "", "null" -> {
        // It goes on.
      }
      case "STOP" -> isComplete = true;
      case "MAX_TOKENS" -> {
        isComplete = true;
        isCut = true;
      }
      // It may do better the next time.
      case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER" ->
          throw ModelFailure.interrupted(reason);
      default -> throw ModelFailure.withheld(reason);
    }
  }

  private void part(JsonNode part) {
    if (part.path("functionCall").isObject()) {
      JsonNode call = part.path("functionCall");
      calls.begin(number, call.path("id").asText(""), call.path("name").asText());
      // A tool without arguments is called without.
      calls.goOn(number++, call.path("args").isMissingNode() ? "{}" : Json.text(call.path("args")));
      parts.add(part);
    } else if (part.path("thought").asBoolean()) {
      thinking.append(part.path("text").asText());
      parts.add(part);
    } else {
      say(part);
    }
  }

  /// Neighbouring pieces of text become one, unless one is signed.
  private void say(JsonNode part) {
    String said = part.path("text").asText("");
    text.append(said);
    if (!said.isEmpty()) {
      hearing.text(said);
    }
    boolean isPlain = part.size() == 1 && part.has("text");
    if (isPlain
        && !parts.isEmpty()
        && parts.get(parts.size() - 1) instanceof ObjectNode last
        && last.size() == 1
        && last.has("text")) {
      last.put("text", last.path("text").asText() + said);
    } else if (!said.isEmpty() || !isPlain) {
      parts.add(part.deepCopy());
    }
  }

  @Override
  public boolean isComplete() {
    return isComplete;
  }

  @Override
  public ModelReply reply() {
    return new ModelReply(
        text.toString(),
        thinking.toString(),
        calls.whole(),
        inputTokens,
        outputTokens,
        parts,
        isCut);
  }
}
