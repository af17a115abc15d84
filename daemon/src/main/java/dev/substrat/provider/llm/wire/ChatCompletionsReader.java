package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.provider.llm.ModelFailure;

/// Reads the streamed chunks of Chat Completions.
final class ChatCompletionsReader implements ReplyReader {
  private final ReplyListener hearing;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder thinking = new StringBuilder();
  private final StreamedCalls calls;
  private long inputTokens;
  private long outputTokens;
  private boolean isComplete;
  private boolean isCut;

  ChatCompletionsReader(ReplyListener hearing) {
    this.hearing = hearing;
    this.calls = new StreamedCalls(hearing);
  }

  @Override
  public void read(JsonNode chunk) {
    if (chunk.path("error").isObject()) {
      throw ModelFailure.interrupted(chunk.path("error").path("message").asText("an error"));
    }
    JsonNode usage = chunk.path("usage");
    if (usage.isObject()) {
      inputTokens = usage.path("prompt_tokens").asLong();
      outputTokens = usage.path("completion_tokens").asLong();
    }
    JsonNode choice = chunk.path("choices").path(0);
    JsonNode delta = choice.path("delta");
    String said = delta.path("content").asText("");
    if (!said.isEmpty()) {
      text.append(said);
      hearing.text(said);
    }
    thinking.append(delta.path("reasoning_content").asText(delta.path("reasoning").asText("")));
    delta.path("tool_calls").forEach(this::call);
    end(choice.path("finish_reason").asText(""));
  }

  private void end(String reason) {
    switch (reason) {
      case "", "null" -> {
        // It goes on.
      }
      case "content_filter" -> throw ModelFailure.withheld(reason);
      default -> {
        isComplete = true;
        isCut |= reason.equals("length");
      }
    }
  }

  private void call(JsonNode piece) {
    int index = piece.path("index").asInt(0);
    String id = piece.path("id").asText("");
    JsonNode function = piece.path("function");
    if (!calls.isUnderWay(index, id.isEmpty() ? null : id)) {
      calls.begin(index, id, function.path("name").asText());
    }
    calls.goOn(index, function.path("arguments").asText(""));
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
        null,
        isCut);
  }
}
