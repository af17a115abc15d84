package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ModelPrompt.MessageRole;
import dev.substrat.testkit.llm.ModelPrompt.PromptMessage;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.util.ArrayList;
import java.util.List;

/// Anthropic's Messages API.
final class AnthropicDialect implements ModelDialect {
  @Override
  public String name() {
    return "anthropic";
  }

  @Override
  public ModelPrompt read(RequestHead head, JsonNode body) {
    var messages = new ArrayList<PromptMessage>();
    for (JsonNode one : body.path("messages")) {
      switch (one.path("role").asText()) {
        case "assistant" -> messages.add(message(MessageRole.ASSISTANT, one.path("content")));
        case "user" -> messages.add(message(MessageRole.USER, one.path("content")));
        default -> {
          // Some clients append their own text at the end, as system text.
        }
      }
    }
    return new ModelPrompt(
        name(),
        body.path("model").asText(),
        DialectJson.text(body.path("system")),
        messages,
        tools(body.path("tools")),
        body.path("stream").asBoolean(),
        head.key(),
        body);
  }

  private static PromptMessage message(MessageRole role, JsonNode content) {
    var calls = new ArrayList<ModelPrompt.PromptToolCall>();
    var results = new ArrayList<ModelPrompt.PromptToolResult>();
    if (content.isArray()) {
      for (JsonNode block : content) {
        switch (block.path("type").asText()) {
          case "tool_use" ->
              calls.add(
                  new ModelPrompt.PromptToolCall(
                      block.path("id").asText(),
                      block.path("name").asText(),
                      block.path("input").toString()));
          case "tool_result" ->
              results.add(
                  new ModelPrompt.PromptToolResult(
                      block.path("tool_use_id").asText(), DialectJson.text(block.path("content"))));
          default -> {
            // Texts are joined below.
          }
        }
      }
    }
    return new PromptMessage(role, DialectJson.text(content), calls, results);
  }

  private static List<ModelPrompt.OfferedTool> tools(JsonNode list) {
    var tools = new ArrayList<ModelPrompt.OfferedTool>();
    for (JsonNode tool : list) {
      tools.add(
          new ModelPrompt.OfferedTool(null, tool.path("name").asText(), tool.path("input_schema")));
    }
    return tools;
  }

  @Override
  public ObjectNode whole(ModelPrompt asked, TextAnswer says) {
    var message = message(asked, says);
    message.putArray("content").addAll(blocks(asked, says));
    message.put("stop_reason", reason(says));
    message.withObject("/usage").put("output_tokens", says.used().output());
    return message;
  }

  private static List<ObjectNode> blocks(ModelPrompt asked, TextAnswer says) {
    var blocks = new ArrayList<ObjectNode>();
    if (!says.thinking().isEmpty()) {
      blocks.add(type("thinking").put("thinking", says.thinking()).put("signature", "c2lnbmVk"));
    }
    if (!says.text().isEmpty()) {
      blocks.add(type("text").put("text", says.text()));
    }
    for (ScriptedAnswer.ScriptedToolCall call : says.calls()) {
      String name = asked.tool(call.tool()).map(ModelPrompt.OfferedTool::name).orElse(call.tool());
      var block = type("tool_use").put("id", DialectJson.newId("toolu_")).put("name", name);
      block.set("input", DialectJson.valueOrText(call.arguments()));
      blocks.add(block);
    }
    return blocks;
  }

  @Override
  public List<String> pieces(ModelPrompt asked, TextAnswer says) {
    var pieces = new ArrayList<String>();
    var start = type("message_start");
    start.set("message", message(asked, says));
    pieces.add(DialectJson.typedEvent(start));
    List<ObjectNode> blocks = blocks(asked, says);
    int calls = 0;
    for (int i = 0; i < blocks.size(); i++) {
      ObjectNode block = blocks.get(i);
      boolean isCall = block.path("type").asText().equals("tool_use");
      stream(pieces, i, block, isCall ? says.calls().get(calls++).arguments() : "");
    }
    var end = type("message_delta");
    end.putObject("delta").put("stop_reason", reason(says)).putNull("stop_sequence");
    end.putObject("usage").put("output_tokens", says.used().output());
    pieces.add(DialectJson.typedEvent(end));
    pieces.add(DialectJson.typedEvent(type("message_stop")));
    return pieces;
  }

  private static void stream(List<String> pieces, int index, ObjectNode block, String arguments) {
    var start = type("content_block_start").put("index", index);
    ObjectNode bare = block.deepCopy();
    switch (block.path("type").asText()) {
      case "tool_use" -> {
        bare.putObject("input");
        start.set("content_block", bare);
        pieces.add(DialectJson.typedEvent(start));
        DialectJson.pieces(arguments)
            .forEach(piece -> pieces.add(delta(index, "input_json_delta", "partial_json", piece)));
      }
      case "thinking" -> {
        start.set("content_block", bare.put("thinking", "").put("signature", ""));
        pieces.add(DialectJson.typedEvent(start));
        DialectJson.pieces(block.path("thinking").asText())
            .forEach(piece -> pieces.add(delta(index, "thinking_delta", "thinking", piece)));
        pieces.add(delta(index, "signature_delta", "signature", block.path("signature").asText()));
      }
      default -> {
        start.set("content_block", bare.put("text", ""));
        pieces.add(DialectJson.typedEvent(start));
        DialectJson.pieces(block.path("text").asText())
            .forEach(piece -> pieces.add(delta(index, "text_delta", "text", piece)));
      }
    }
    pieces.add(DialectJson.typedEvent(type("content_block_stop").put("index", index)));
  }

  private static String delta(int index, String type, String key, String piece) {
    var event = type("content_block_delta").put("index", index);
    event.putObject("delta").put("type", type).put(key, piece);
    return DialectJson.typedEvent(event);
  }

  private static ObjectNode message(ModelPrompt asked, TextAnswer says) {
    var message = type("message").put("id", "msg_scripted").put("role", "assistant");
    message.put("model", asked.model());
    message.putArray("content");
    message.putNull("stop_reason").putNull("stop_sequence");
    message
        .putObject("usage")
        .put("input_tokens", says.used().input())
        .put("output_tokens", Math.min(1, says.used().output()));
    return message;
  }

  private static String reason(TextAnswer says) {
    return switch (says.ending()) {
      case OWN -> says.calls().isEmpty() ? "end_turn" : "tool_use";
      case CUT -> "max_tokens";
      case WITHHELD -> "refusal";
    };
  }

  private static ObjectNode type(String type) {
    return DialectJson.object().put("type", type);
  }

  @Override
  public ObjectNode error(int status, String message) {
    String kind =
        switch (status) {
          case 400 -> "invalid_request_error";
          case 401 -> "authentication_error";
          case 429 -> "rate_limit_error";
          case 529 -> "overloaded_error";
          default -> "api_error";
        };
    var body = type("error");
    body.putObject("error").put("type", kind).put("message", message);
    return body;
  }

  @Override
  public ObjectNode tooLong() {
    return error(400, "prompt is too long: 210000 tokens > 200000 maximum");
  }
}
