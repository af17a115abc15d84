package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.Answer.Says;
import dev.substrat.testkit.llm.Asked.Message;
import dev.substrat.testkit.llm.Asked.Role;
import java.util.ArrayList;
import java.util.List;

/// Gemini's `generateContent` and `streamGenerateContent`.
final class Gemini implements Dialect {
  @Override
  public String name() {
    return "gemini";
  }

  @Override
  public Asked read(Head head, JsonNode body) {
    var messages = new ArrayList<Message>();
    body.path("contents").forEach(content -> messages.add(message(content)));
    JsonNode system =
        body.has("systemInstruction")
            ? body.path("systemInstruction")
            : body.path("system_instruction");
    return new Asked(
        name(),
        head.model(),
        Wire.text(system.path("parts")),
        messages,
        tools(body.path("tools")),
        head.isStreamed(),
        head.key(),
        body);
  }

  private static Message message(JsonNode content) {
    var calls = new ArrayList<Asked.Call>();
    var results = new ArrayList<Asked.Result>();
    for (JsonNode part : content.path("parts")) {
      JsonNode call = part.path("functionCall");
      if (call.isObject()) {
        calls.add(
            new Asked.Call(
                call.path("id").asText(call.path("name").asText()),
                call.path("name").asText(),
                call.path("args").toString()));
      }
      JsonNode result = part.path("functionResponse");
      if (result.isObject()) {
        results.add(
            new Asked.Result(
                result.path("id").asText(result.path("name").asText()),
                result.path("response").toString()));
      }
    }
    boolean isModel = content.path("role").asText().equals("model");
    return new Message(
        isModel ? Role.ASSISTANT : Role.USER, Wire.text(content.path("parts")), calls, results);
  }

  private static List<Asked.Offered> tools(JsonNode list) {
    var tools = new ArrayList<Asked.Offered>();
    for (JsonNode group : list) {
      for (JsonNode tool : group.path("functionDeclarations")) {
        JsonNode schema =
            tool.has("parametersJsonSchema")
                ? tool.path("parametersJsonSchema")
                : tool.path("parameters");
        tools.add(new Asked.Offered(null, tool.path("name").asText(), schema));
      }
    }
    return tools;
  }

  @Override
  public ObjectNode whole(Asked asked, Says says) {
    var parts = Wire.array();
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
  public List<String> pieces(Asked asked, Says says) {
    var frames = new ArrayList<ObjectNode>();
    for (String piece : Wire.pieces(says.thinking())) {
      var parts = Wire.array();
      parts.addObject().put("text", piece).put("thought", true);
      frames.add(frame(asked, parts));
    }
    for (String piece : Wire.pieces(says.text())) {
      var parts = Wire.array();
      parts.addObject().put("text", piece);
      frames.add(frame(asked, parts));
    }
    // Gemini never sends a call in pieces.
    for (Answer.ToolCall call : says.calls()) {
      var parts = Wire.array();
      parts.add(call(asked, call));
      frames.add(frame(asked, parts));
    }
    frames.add(last(frame(asked, Wire.array()), says));
    return frames.stream().map(Wire::event).toList();
  }

  private static ObjectNode call(Asked asked, Answer.ToolCall call) {
    String name = asked.tool(call.tool()).map(Asked.Offered::name).orElse(call.tool());
    var part = Wire.object();
    var function = part.putObject("functionCall").put("name", name);
    function.put("id", Wire.newId("fc-"));
    if (!call.arguments().isEmpty()) {
      function.set("args", Wire.valueOrText(call.arguments()));
    }
    part.put("thoughtSignature", "c2lnbmVk");
    return part;
  }

  private static ObjectNode frame(Asked asked, ArrayNode parts) {
    var frame = Wire.object();
    var candidate = frame.putArray("candidates").addObject().put("index", 0);
    candidate.putObject("content").put("role", "model").set("parts", parts);
    return frame.put("modelVersion", asked.model()).put("responseId", "scripted");
  }

  private static String reason(Says says) {
    return switch (says.ending()) {
      case OWN -> "STOP";
      case CUT -> "MAX_TOKENS";
      case WITHHELD -> "SAFETY";
    };
  }

  private static ObjectNode last(ObjectNode frame, Says says) {
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
    var body = Wire.object();
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
