package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Wire format of Anthropic's Messages API.
public final class AnthropicWire implements LlmWire {
  private static final String VERSION = "2023-06-01";

  @Override
  public String address(String base, String model) {
    return base + "/v1/messages";
  }

  @Override
  public String modelsAddress(String base) {
    return base + "/v1/models";
  }

  @Override
  public Map<String, String> headers(String key) {
    return key.isEmpty()
        ? Map.of("anthropic-version", VERSION)
        : Map.of("anthropic-version", VERSION, "x-api-key", key);
  }

  @Override
  public ObjectNode body(ModelRequest question) {
    var body = Json.object().put("model", question.model()).put("stream", true);
    body.put("max_tokens", question.maxOutputTokens());
    if (question.temperature() != null) {
      body.put("temperature", question.temperature());
    }
    if (!question.system().isBlank()) {
      var system = body.putArray("system").addObject();
      system.put("type", "text").put("text", question.system());
      // The system prompt stays the same between turns, so the API can cache it.
      system.putObject("cache_control").put("type", "ephemeral");
    }
    ArrayNode messages = body.putArray("messages");
    question.entries().forEach(entry -> add(messages, entry));
    if (!question.tools().isEmpty()) {
      ArrayNode tools = body.putArray("tools");
      question
          .tools()
          .forEach(tool ->
              tools
                  .addObject()
                  .put("name", tool.name())
                  .put("description", tool.description())
                  .set("input_schema", tool.input().json()));
    }
    return body;
  }

  private static void add(ArrayNode messages, ConversationEntry entry) {
    switch (entry) {
      case ConversationEntry.UserText user ->
          messages.addObject().put("role", "user").put("content", user.text());
      case ConversationEntry.AssistantText said -> {
        if (!said.isEmpty()) {
          messages.addObject().put("role", "assistant").set("content", content(said));
        }
      }
      case ConversationEntry.ToolResults returned -> {
        ArrayNode content = messages.addObject().put("role", "user").putArray("content");
        returned
            .results()
            .forEach(result ->
                content
                    .addObject()
                    .put("type", "tool_result")
                    .put("tool_use_id", result.callId())
                    .put("content", result.text())
                    .put("is_error", result.isError()));
      }
    }
  }

  private static JsonNode content(ConversationEntry.AssistantText said) {
    if (said.asWritten() != null) {
      return said.asWritten();
    }
    ArrayNode content = Json.object().putArray("content");
    if (!said.text().isBlank()) {
      content.addObject().put("type", "text").put("text", said.text());
    }
    for (ConversationEntry.RequestedCall call : said.calls()) {
      content
          .addObject()
          .put("type", "tool_use")
          .put("id", call.id())
          .put("name", call.tool())
          .set("input", CallArgumentParser.orEmpty(call));
    }
    return content;
  }

  @Override
  public ReplyReader reader(ReplyListener hearing) {
    return new AnthropicReader(hearing);
  }

  @Override
  public boolean isTooLong(JsonNode error) {
    return error.path("message").asText().contains("prompt is too long")
        || error.path("type").asText().equals("request_too_large");
  }

  @Override
  public String modelName(JsonNode listed) {
    return listed.path("id").asText();
  }

  /// Reads the streamed events of Anthropic's Messages API.
  private static final class AnthropicReader implements ReplyReader {
    private final ReplyListener hearing;
    private final StreamedCallAssembler calls;
    private final SortedMap<Integer, ObjectNode> blocks = new TreeMap<>();
    private long inputTokens;
    private long outputTokens;
    private boolean isComplete;
    private boolean isCut;

    AnthropicReader(ReplyListener hearing) {
      this.hearing = hearing;
      this.calls = new StreamedCallAssembler(hearing);
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
          // Pings and unknown events.
        }
      }
    }

    private void end(String reason) {
      if (reason.equals("refusal")) {
        throw ModelFailure.withheld(reason);
      }
      isCut = reason.equals("max_tokens") || reason.equals("model_context_window_exceeded");
    }

    /// Cached tokens count as input.
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
        case "input_json_delta" -> calls.append(index, delta.path("partial_json").asText());
        default -> {
          // Citations and unknown deltas.
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
      Iterator<ConversationEntry.RequestedCall> written = calls.whole().iterator();
      ArrayNode content = Json.object().putArray("content");
      for (ObjectNode block : blocks.values()) {
        if (block.path("type").asText().equals("tool_use") && written.hasNext()) {
          block.set("input", CallArgumentParser.orEmpty(written.next()));
        }
        // The API rejects empty texts, also its own.
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
}
