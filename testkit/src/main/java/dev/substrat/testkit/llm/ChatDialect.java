package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ModelPrompt.MessageRole;
import dev.substrat.testkit.llm.ModelPrompt.PromptMessage;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// OpenAI's Chat Completions API, which compatible servers use as well.
final class ChatDialect implements ModelDialect {
  @Override
  public String name() {
    return "chat";
  }

  @Override
  public ModelPrompt read(RequestHead head, JsonNode body) {
    var system = new ArrayList<String>();
    var messages = new ArrayList<PromptMessage>();
    for (JsonNode one : body.path("messages")) {
      String text = DialectJson.text(one.path("content"));
      switch (one.path("role").asText()) {
        case "system", "developer" -> system.add(text);
        case "assistant" ->
            messages.add(new PromptMessage(MessageRole.ASSISTANT, text, calls(one), List.of()));
        case "tool" ->
            messages.add(
                new PromptMessage(
                    MessageRole.USER,
                    "",
                    List.of(),
                    List.of(
                        new ModelPrompt.PromptToolResult(
                            one.path("tool_call_id").asText(), text))));
        default -> messages.add(PromptMessage.said(MessageRole.USER, text));
      }
    }
    return new ModelPrompt(
        name(),
        body.path("model").asText(),
        String.join("\n", system),
        messages,
        tools(body.path("tools")),
        body.path("stream").asBoolean(),
        head.key(),
        body);
  }

  private static List<ModelPrompt.PromptToolCall> calls(JsonNode message) {
    var calls = new ArrayList<ModelPrompt.PromptToolCall>();
    for (JsonNode call : message.path("tool_calls")) {
      JsonNode function = call.path("function");
      calls.add(
          new ModelPrompt.PromptToolCall(
              call.path("id").asText(),
              function.path("name").asText(),
              function.path("arguments").asText()));
    }
    return calls;
  }

  private static List<ModelPrompt.OfferedTool> tools(JsonNode list) {
    var tools = new ArrayList<ModelPrompt.OfferedTool>();
    for (JsonNode tool : list) {
      JsonNode function = tool.path("function");
      tools.add(
          new ModelPrompt.OfferedTool(
              null, function.path("name").asText(), function.path("parameters")));
    }
    return tools;
  }

  @Override
  public ObjectNode whole(ModelPrompt asked, TextAnswer says) {
    var message = DialectJson.object().put("role", "assistant");
    message.put("content", says.text());
    if (!says.thinking().isEmpty()) {
      message.put("reasoning_content", says.thinking());
    }
    if (!says.calls().isEmpty()) {
      var calls = message.putArray("tool_calls");
      says.calls().forEach(call -> calls.add(call(asked, call, call.arguments())));
    }
    var answer = frame(asked, "chat.completion");
    var choice = answer.putArray("choices").addObject().put("index", 0);
    choice.put("finish_reason", reason(says));
    choice.set("message", message);
    answer.set("usage", usage(says));
    return answer;
  }

  @Override
  public List<String> pieces(ModelPrompt asked, TextAnswer says) {
    var pieces = new ArrayList<String>();
    pieces.add(delta(asked, DialectJson.object().put("role", "assistant").put("content", "")));
    for (String piece : DialectJson.pieces(says.thinking())) {
      pieces.add(delta(asked, DialectJson.object().put("reasoning_content", piece)));
    }
    for (String piece : DialectJson.pieces(says.text())) {
      pieces.add(delta(asked, DialectJson.object().put("content", piece)));
    }
    pieces.addAll(calls(asked, says.calls()));
    var end = frame(asked, "chat.completion.chunk");
    var choice = end.putArray("choices").addObject().put("index", 0);
    choice.putObject("delta");
    choice.put("finish_reason", reason(says));
    pieces.add(DialectJson.event(end));
    if (asked.raw().path("stream_options").path("include_usage").asBoolean()) {
      var last = frame(asked, "chat.completion.chunk");
      last.putArray("choices");
      last.set("usage", usage(says));
      pieces.add(DialectJson.event(last));
    }
    pieces.add("data: [DONE]\n\n");
    return pieces;
  }

  /// All calls at once, a piece of each in turn.
  private static List<String> calls(
      ModelPrompt asked, List<ScriptedAnswer.ScriptedToolCall> calls) {
    var pieces = new ArrayList<String>();
    var arguments = new ArrayList<Iterator<String>>();
    for (int i = 0; i < calls.size(); i++) {
      pieces.add(callDelta(asked, call(asked, calls.get(i), "").put("index", i)));
      arguments.add(DialectJson.pieces(calls.get(i).arguments()).iterator());
    }
    while (arguments.stream().anyMatch(Iterator::hasNext)) {
      for (int i = 0; i < arguments.size(); i++) {
        if (arguments.get(i).hasNext()) {
          var more = DialectJson.object().put("index", i);
          more.putObject("function").put("arguments", arguments.get(i).next());
          pieces.add(callDelta(asked, more));
        }
      }
    }
    return pieces;
  }

  private static String callDelta(ModelPrompt asked, ObjectNode call) {
    var delta = DialectJson.object();
    delta.putArray("tool_calls").add(call);
    return delta(asked, delta);
  }

  private static String delta(ModelPrompt asked, ObjectNode delta) {
    var chunk = frame(asked, "chat.completion.chunk");
    var choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.putNull("finish_reason");
    return DialectJson.event(chunk);
  }

  private static ObjectNode call(
      ModelPrompt asked, ScriptedAnswer.ScriptedToolCall call, String arguments) {
    var node = DialectJson.object().put("id", DialectJson.newId("call_")).put("type", "function");
    String name = asked.tool(call.tool()).map(ModelPrompt.OfferedTool::name).orElse(call.tool());
    node.putObject("function").put("name", name).put("arguments", arguments);
    return node;
  }

  private static String reason(TextAnswer says) {
    return switch (says.ending()) {
      case OWN -> says.calls().isEmpty() ? "stop" : "tool_calls";
      case CUT -> "length";
      case WITHHELD -> "content_filter";
    };
  }

  private static ObjectNode frame(ModelPrompt asked, String kind) {
    return DialectJson.object()
        .put("id", "chatcmpl-scripted")
        .put("object", kind)
        .put("created", 1_767_225_600)
        .put("model", asked.model());
  }

  private static ObjectNode usage(TextAnswer says) {
    return DialectJson.object()
        .put("prompt_tokens", says.used().input())
        .put("completion_tokens", says.used().output())
        .put("total_tokens", says.used().input() + says.used().output());
  }

  /// Servers that parse the arguments of earlier calls reject invalid JSON.
  @Override
  public Optional<String> complaint(ModelPrompt asked) {
    return asked.messages().stream()
        .flatMap(message -> message.calls().stream())
        .filter(call -> !call.arguments().isBlank() && !DialectJson.isJson(call.arguments()))
        .map(call -> "invalid tool call arguments: " + call.arguments())
        .findFirst();
  }

  @Override
  public ObjectNode error(int status, String message) {
    return openAiError(status, message, null);
  }

  @Override
  public ObjectNode tooLong() {
    return openAiError(
        400,
        "This model's maximum context length is 8192 tokens. Your messages are longer.",
        "context_length_exceeded");
  }

  static ObjectNode openAiError(int status, String message, @Nullable String code) {
    var body = DialectJson.object();
    body.putObject("error")
        .put("message", message)
        .put("type", status < 500 ? "invalid_request_error" : "server_error")
        .put("code", code);
    return body;
  }
}
