package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.Map;

/// Wire format of Gemini's streamGenerateContent.
public final class GeminiWire implements LlmWire {
  @Override
  public String address(String base, String model) {
    String name = model.replaceFirst("^models/", "");
    return base + "/v1beta/models/" + name + ":streamGenerateContent?alt=sse";
  }

  @Override
  public String modelsAddress(String base) {
    return base + "/v1beta/models";
  }

  @Override
  public Map<String, String> headers(String key) {
    return key.isEmpty() ? Map.of() : Map.of("x-goog-api-key", key);
  }

  @Override
  public ObjectNode body(ModelRequest question) {
    var body = Json.object();
    if (!question.system().isBlank()) {
      body.putObject("systemInstruction")
          .putArray("parts")
          .addObject()
          .put("text", question.system());
    }
    ArrayNode contents = body.putArray("contents");
    question.entries().forEach(entry -> add(contents, entry));
    if (!question.tools().isEmpty()) {
      ArrayNode tools = body.putArray("tools").addObject().putArray("functionDeclarations");
      question
          .tools()
          .forEach(tool ->
              tools
                  .addObject()
                  .put("name", tool.name())
                  .put("description", tool.description())
                  .set("parametersJsonSchema", tool.input().json()));
    }
    var settings = body.putObject("generationConfig");
    settings.put("maxOutputTokens", question.maxOutputTokens());
    if (question.temperature() != null) {
      settings.put("temperature", question.temperature());
    }
    return body;
  }

  private static void add(ArrayNode contents, ConversationEntry entry) {
    switch (entry) {
      case ConversationEntry.UserText user -> {
        var content = contents.addObject().put("role", "user");
        content.putArray("parts").addObject().put("text", user.text());
      }
      case ConversationEntry.AssistantText said -> {
        if (!said.isEmpty()) {
          contents.addObject().put("role", "model").set("parts", parts(said));
        }
      }
      case ConversationEntry.ToolResults returned -> {
        ArrayNode parts = contents.addObject().put("role", "user").putArray("parts");
        returned.results().forEach(result -> parts.add(response(result)));
      }
    }
  }

  private static JsonNode parts(ConversationEntry.AssistantText said) {
    if (said.asWritten() != null) {
      return said.asWritten();
    }
    ArrayNode parts = Json.object().putArray("parts");
    if (!said.text().isBlank()) {
      parts.addObject().put("text", said.text());
    }
    for (ConversationEntry.Call call : said.calls()) {
      parts
          .addObject()
          .putObject("functionCall")
          .put("name", call.tool())
          .set("args", CallArguments.orEmpty(call));
    }
    return parts;
  }

  private static ObjectNode response(ConversationEntry.Result result) {
    var part = Json.object();
    var response = part.putObject("functionResponse").put("name", result.tool());
    response.putObject("response").put(result.isError() ? "error" : "output", result.text());
    return part;
  }

  @Override
  public ReplyReader reader(ReplyListener hearing) {
    return new GeminiReader(hearing);
  }

  @Override
  public boolean isTooLong(JsonNode error) {
    return error.path("message").asText().contains("exceeds the maximum number of tokens");
  }

  @Override
  public String modelName(JsonNode listed) {
    return listed.path("name").asText().replaceFirst("^models/", "");
  }
}
