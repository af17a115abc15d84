package dev.substrat.provider.llm.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.ModelFailure;
import dev.substrat.tool.Tool;
import java.util.Map;

/// Wire format of Chat Completions, which OpenAI and many others use: Ollama, vLLM, OpenRouter.
public final class ChatCompletionsWire implements LlmWire {
  private final boolean isOpenAi;

  /// OpenAI's newer models reject `max_tokens`, and other servers do not know its replacement.
  public ChatCompletionsWire(boolean isOpenAi) {
    this.isOpenAi = isOpenAi;
  }

  @Override
  public String address(String base, String model) {
    return base + "/chat/completions";
  }

  @Override
  public String modelsAddress(String base) {
    return base + "/models";
  }

  @Override
  public Map<String, String> headers(String key) {
    return key.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + key);
  }

  @Override
  public ObjectNode body(ModelRequest question) {
    var body = Json.object().put("model", question.model()).put("stream", true);
    body.putObject("stream_options").put("include_usage", true);
    body.put(isOpenAi ? "max_completion_tokens" : "max_tokens", question.maxOutputTokens());
    if (question.temperature() != null) {
      body.put("temperature", question.temperature());
    }
    ArrayNode messages = body.putArray("messages");
    if (!question.system().isBlank()) {
      messages.addObject().put("role", "system").put("content", question.system());
    }
    question.entries().forEach(entry -> add(messages, entry));
    if (!question.tools().isEmpty()) {
      ArrayNode tools = body.putArray("tools");
      question.tools().forEach(tool -> tools.add(tool(tool)));
    }
    return body;
  }

  private static void add(ArrayNode messages, ConversationEntry entry) {
    switch (entry) {
      case ConversationEntry.UserText user ->
          messages.addObject().put("role", "user").put("content", user.text());
      case ConversationEntry.AssistantText said -> {
        if (!said.isEmpty()) {
          messages.add(said(said));
        }
      }
      case ConversationEntry.ToolResults returned ->
          returned
              .results()
              .forEach(result ->
                  messages
                      .addObject()
                      .put("role", "tool")
                      .put("tool_call_id", result.callId())
                      .put("content", result.text()));
    }
  }

  private static ObjectNode said(ConversationEntry.AssistantText said) {
    var message = Json.object().put("role", "assistant").put("content", said.text());
    if (!said.calls().isEmpty()) {
      ArrayNode calls = message.putArray("tool_calls");
      for (ConversationEntry.RequestedCall call : said.calls()) {
        var one = calls.addObject().put("id", call.id()).put("type", "function");
        // Servers that parse arguments reject the whole conversation if they are not JSON.
        String arguments = Json.text(CallArgumentParser.orEmpty(call));
        one.putObject("function").put("name", call.tool()).put("arguments", arguments);
      }
    }
    return message;
  }

  private static ObjectNode tool(Tool tool) {
    var node = Json.object().put("type", "function");
    var function = node.putObject("function").put("name", tool.name());
    function.put("description", tool.description()).set("parameters", tool.input().json());
    return node;
  }

  @Override
  public ReplyReader reader(ReplyListener hearing) {
    return new ChatCompletionsReader(hearing);
  }

  @Override
  public boolean isTooLong(JsonNode error) {
    String message = error.path("message").asText();
    return error.path("code").asText().equals("context_length_exceeded")
        || message.contains("maximum context length")
        || message.contains("context window")
        || message.contains("exceeds the available context size");
  }

  @Override
  public String modelName(JsonNode listed) {
    return listed.path("id").asText();
  }

  /// Reads the streamed chunks of Chat Completions.
  private static final class ChatCompletionsReader implements ReplyReader {
    private final ReplyListener hearing;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final StreamedCallAssembler calls;
    private long inputTokens;
    private long outputTokens;
    private boolean isComplete;
    private boolean isCut;

    ChatCompletionsReader(ReplyListener hearing) {
      this.hearing = hearing;
      this.calls = new StreamedCallAssembler(hearing);
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
          // The response continues.
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
      calls.append(index, function.path("arguments").asText(""));
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
}
