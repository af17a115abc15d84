package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ModelPrompt.MessageRole;
import dev.substrat.testkit.llm.ModelPrompt.PromptMessage;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.util.ArrayList;
import java.util.List;

/// Gemini's `generateContent` and `streamGenerateContent` APIs.
final class GeminiDialect implements ModelDialect {
  @Override
  public String name() {
    return "gemini";
  }

  @Override
  public ModelPrompt read(RequestHead head, JsonNode body) {
    var messages = new ArrayList<PromptMessage>();
    body.path("contents").forEach(content -> messages.add(message(content)));
    JsonNode system =
        body.has("systemInstruction")
            ? body.path("systemInstruction")
            : body.path("system_instruction");
    return new ModelPrompt(
        name(),
        head.model(),
        DialectJson.text(system.path("parts")),
        messages,
        tools(body.path("tools")),
        head.isStreamed(),
        head.key(),
        body);
  }

  private static PromptMessage message(JsonNode content) {
    var calls = new ArrayList<ModelPrompt.PromptToolCall>();
    var results = new ArrayList<ModelPrompt.PromptToolResult>();
    for (JsonNode part : content.path("parts")) {
      JsonNode call = part.path("functionCall");
      if (call.isObject()) {
        calls.add(
            new ModelPrompt.PromptToolCall(
                call.path("id").asText(call.path("name").asText()),
                call.path("name").asText(),
                call.path("args").toString()));
      }
      JsonNode result = part.path("functionResponse");
      if (result.isObject()) {
        results.add(
            new ModelPrompt.PromptToolResult(
                result.path("id").asText(result.path("name").asText()),
                result.path("response").toString()));
      }
    }
    boolean isModel = content.path("role").asText().equals("model");
    return new PromptMessage(
        isModel ? MessageRole.ASSISTANT : MessageRole.USER,
        DialectJson.text(content.path("parts")),
        calls,
        results);
  }

  private static List<ModelPrompt.OfferedTool> tools(JsonNode list) {
    var tools = new ArrayList<ModelPrompt.OfferedTool>();
    for (JsonNode group : list) {
      for (JsonNode tool : group.path("functionDeclarations")) {
        JsonNode schema =
            tool.has("parametersJsonSchema")
                ? tool.path("parametersJsonSchema")
                : tool.path("parameters");
        tools.add(new ModelPrompt.OfferedTool(null, tool.path("name").asText(), schema));
      }
    }
    return tools;
  }

  @Override
  public ObjectNode whole(ModelPrompt asked, TextAnswer says) {
    var parts = DialectJson.array();
    if (!says.thinking().isEmpty()) {
      parts.addObject().put("text", says.thinking()).put("thought", true);
    }
    if (!says.text().isEmpty()) {
      parts.addObject().put("text", says.text());
    }
    says.calls().forEach(call -> parts.add(call(asked, call)));
    return last(frame(asked, parts), says);
  }

  @Override
  public List<String> pieces(ModelPrompt asked, TextAnswer says) {
    var frames = new ArrayList<ObjectNode>();
    for (String piece : DialectJson.pieces(says.thinking())) {
      var parts = DialectJson.array();
      parts.addObject().put("text", piece).put("thought", true);
      frames.add(frame(asked, parts));
    }
    for (String piece : DialectJson.pieces(says.text())) {
      var parts = DialectJson.array();
      parts.addObject().put("text", piece);
      frames.add(frame(asked, parts));
    }
    // Gemini never sends a call in pieces.
    for (ScriptedAnswer.ScriptedToolCall call : says.calls()) {
      var parts = DialectJson.array();
      parts.add(call(asked, call));
      frames.add(frame(asked, parts));
    }
    frames.add(last(frame(asked, DialectJson.array()), says));
    return frames.stream().map(DialectJson::event).toList();
  }

  private static ObjectNode call(ModelPrompt asked, ScriptedAnswer.ScriptedToolCall call) {
    String name = asked.tool(call.tool()).map(ModelPrompt.OfferedTool::name).orElse(call.tool());
    var part = DialectJson.object();
    var function = part.putObject("functionCall").put("name", name);
    function.put("id", DialectJson.newId("fc-"));
    if (!call.arguments().isEmpty()) {
      function.set("args", DialectJson.valueOrText(call.arguments()));
    }
    part.put("thoughtSignature", "c2lnbmVk");
    return part;
  }

  private static ObjectNode frame(ModelPrompt asked, ArrayNode parts) {
    var frame = DialectJson.object();
    var candidate = frame.putArray("candidates").addObject().put("index", 0);
    candidate.putObject("content").put("role", "model").set("parts", parts);
    return frame.put("modelVersion", asked.model()).put("responseId", "scripted");
  }

  private static String reason(TextAnswer says) {
    return switch (says.ending()) {
      case OWN -> "STOP";
      case CUT -> "MAX_TOKENS";
      case WITHHELD -> "SAFETY";
    };
  }

  private static ObjectNode last(ObjectNode frame, TextAnswer says) {
    ((ObjectNode) frame.at("/candidates/0")).put("finishReason", reason(says));
    frame
        .putObject("usageMetadata")
        .put("promptTokenCount", says.used().input())
        .put("candidatesTokenCount", says.used().output())
        .put("totalTokenCount", says.used().input() + says.used().output());
    return frame;
  }

  @Override
  public ObjectNode error(int status, String message) {
    String name =
        switch (status) {
          case 400 -> "INVALID_ARGUMENT";
          case 401 -> "UNAUTHENTICATED";
          case 403 -> "PERMISSION_DENIED";
          case 429 -> "RESOURCE_EXHAUSTED";
          case 503 -> "UNAVAILABLE";
          default -> "INTERNAL";
        };
    var body = DialectJson.object();
    body.putObject("error").put("code", status).put("message", message).put("status", name);
    return body;
  }

  @Override
  public ObjectNode tooLong() {
    return error(
        400,
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).");
  }
}
