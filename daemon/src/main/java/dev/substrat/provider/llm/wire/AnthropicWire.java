package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.Map;

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
    for (ConversationEntry.Call call : said.calls()) {
      content
          .addObject()
          .put("type", "tool_use")
          .put("id", call.id())
          .put("name", call.tool())
          .set("input", CallArguments.orEmpty(call));
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
}
