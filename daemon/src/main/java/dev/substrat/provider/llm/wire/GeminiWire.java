package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure;
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
    for (ConversationEntry.RequestedCall call : said.calls()) {
      parts
          .addObject()
          .putObject("functionCall")
          .put("name", call.tool())
          .set("args", CallArgumentParser.orEmpty(call));
    }
    return parts;
  }

  private static ObjectNode response(ConversationEntry.CallResult result) {
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

  /// Reads the streamed frames of Gemini. Its calls arrive complete, and often without an id.
  private static final class GeminiReader implements ReplyReader {
    private final ReplyListener hearing;
    private final StreamedCallAssembler calls;
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
      this.calls = new StreamedCallAssembler(hearing);
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
          // The response continues.
        }
        case "STOP" -> isComplete = true;
        case "MAX_TOKENS" -> {
          isComplete = true;
          isCut = true;
        }
        // A retry may succeed.
        case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER" ->
            throw ModelFailure.interrupted(reason);
        default -> throw ModelFailure.withheld(reason);
      }
    }

    private void part(JsonNode part) {
      if (part.path("functionCall").isObject()) {
        JsonNode call = part.path("functionCall");
        calls.begin(number, call.path("id").asText(""), call.path("name").asText());
        // A call without arguments.
        calls.append(
            number++, call.path("args").isMissingNode() ? "{}" : Json.text(call.path("args")));
        parts.add(part);
      } else if (part.path("thought").asBoolean()) {
        thinking.append(part.path("text").asText());
        parts.add(part);
      } else {
        say(part);
      }
    }

    /// Merges adjacent parts of a text, unless one has a signature.
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
}
