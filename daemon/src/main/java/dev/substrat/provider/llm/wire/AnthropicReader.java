package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure;
import java.util.Iterator;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads the streamed events of Anthropic's Messages API.
final class AnthropicReader implements ReplyReader {
  private final ReplyListener hearing;
  private final StreamedCalls calls;
  private final SortedMap<Integer, ObjectNode> blocks = new TreeMap<>();
  private long inputTokens;
  private long outputTokens;
  private boolean isComplete;
  private boolean isCut;

  AnthropicReader(ReplyListener hearing) {
    this.hearing = hearing;
    this.calls = new StreamedCalls(hearing);
  }

  @Override
  public void read(JsonNode event) {
    int index = event.path("index").asInt();
    switch (event.path("type").asText()) {
      case "message_start" -> use(event.path("message").path("usage"));
      case "content_block_start" -> begin(index, event.path("content_block"));
      case "content_block_delta" -> goOn(index, event.path("delta"));
      case "message_delta" -> {
        use(event.path("usage"));
        end(event.path("delta").path("stop_reason").asText(""));
      }
      case "message_stop" -> isComplete = true;
      case "error" ->
          throw ModelFailure.interrupted(event.path("error").path("message").asText("an error"));
      default -> {
        // Pings, and what will be invented.
      }
    }
  }

  private void end(String reason) {
    if (reason.equals("refusal")) {
      throw ModelFailure.withheld(reason);
    }
    isCut = reason.equals("max_tokens") || reason.equals("model_context_window_exceeded");
  }

  /// What was read from a cache was read.
  private void use(JsonNode usage) {
    long input =
        usage.path("input_tokens").asLong()
            + usage.path("cache_creation_input_tokens").asLong()
            + usage.path("cache_read_input_tokens").asLong();
    inputTokens = Math.max(inputTokens, input);
    outputTokens = Math.max(outputTokens, usage.path("output_tokens").asLong());
  }

  private void begin(int index, JsonNode block) {
    if (block instanceof ObjectNode object) {
      blocks.put(index, object.deepCopy());
    }
    if (block.path("type").asText().equals("tool_use")) {
      calls.begin(index, block.path("id").asText(), block.path("name").asText());
    }
  }

  private void goOn(int index, JsonNode delta) {
    switch (delta.path("type").asText()) {
      case "text_delta" -> {
        append(index, "text", delta.path("text").asText());
        hearing.text(delta.path("text").asText());
      }
      case "thinking_delta" -> append(index, "thinking", delta.path("thinking").asText());
      case "signature_delta" -> append(index, "signature", delta.path("signature").asText());
      case "input_json_delta" -> calls.goOn(index, delta.path("partial_json").asText());
      default -> {
        // Citations, and what will be invented.
      }
    }
  }

  private void append(int index, String key, String delta) {
    ObjectNode block = blocks.computeIfAbsent(index, _ -> Json.object().put("type", key));
    block.put(key, block.path(key).asText("") + delta);
  }

  @Override
  public boolean isComplete() {
    return isComplete;
  }

  @Override
  public ModelReply reply() {
    Iterator<ConversationEntry.Call> written = calls.whole().iterator();
    ArrayNode content = Json.object().putArray("content");
    for (ObjectNode block : blocks.values()) {
      if (block.path("type").asText().equals("tool_use") && written.hasNext()) {
        block.set("input", CallArguments.orEmpty(written.next()));
      }
      // The API refuses texts that are empty, its own as well.
      boolean isEmptyText =
          block.path("type").asText().equals("text") && block.path("text").asText().isBlank();
      if (!isEmptyText) {
        content.add(block);
      }
    }
    return new ModelReply(
        all("text"), all("thinking"), calls.whole(), inputTokens, outputTokens, content, isCut);
  }

  private String all(String key) {
    var all = new StringBuilder();
    blocks.values().forEach(block -> all.append(block.path(key).asText("")));
    return all.toString();
  }
}
