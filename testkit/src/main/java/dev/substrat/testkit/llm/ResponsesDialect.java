package dev.substrat.testkit.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.testkit.llm.ModelPrompt.MessageRole;
import dev.substrat.testkit.llm.ModelPrompt.PromptMessage;
import dev.substrat.testkit.llm.ScriptedAnswer.TextAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// OpenAI's Responses API.
final class ResponsesDialect implements ModelDialect {
  @Override
  public String name() {
    return "responses";
  }

  @Override
  public ModelPrompt read(RequestHead head, JsonNode body) {
    var system = new ArrayList<String>();
    system.add(body.path("instructions").asText(""));
    var messages = new ArrayList<PromptMessage>();
    if (body.path("input").isTextual()) {
      messages.add(PromptMessage.said(MessageRole.USER, body.path("input").asText()));
    } else {
      body.path("input").forEach(item -> read(item, system, messages));
    }
    return new ModelPrompt(
        name(),
        body.path("model").asText(),
        String.join("\n", system).strip(),
        messages,
        tools(body.path("tools"), null),
        body.path("stream").asBoolean(),
        head.key(),
        body);
  }

  private static void read(JsonNode item, List<String> system, List<PromptMessage> messages) {
    switch (item.path("type").asText("message")) {
      case "message" -> {
        String text = DialectJson.text(item.path("content"));
        switch (item.path("role").asText()) {
          case "system", "developer" -> system.add(text);
          case "assistant" -> messages.add(PromptMessage.said(MessageRole.ASSISTANT, text));
          default -> messages.add(PromptMessage.said(MessageRole.USER, text));
        }
      }
      case "function_call" ->
          messages.add(
              new PromptMessage(
                  MessageRole.ASSISTANT,
                  "",
                  List.of(
                      new ModelPrompt.PromptToolCall(
                          item.path("call_id").asText(),
                          item.path("name").asText(),
                          item.path("arguments").asText())),
                  List.of()));
      case "function_call_output" ->
          messages.add(
              new PromptMessage(
                  MessageRole.USER,
                  "",
                  List.of(),
                  List.of(
                      new ModelPrompt.PromptToolResult(
                          item.path("call_id").asText(), DialectJson.text(item.path("output"))))));
      default -> {
        // Reasoning items and the like, which scripts ignore.
      }
    }
  }

  /// Codex puts the tools of an MCP server into a namespace of their own.
  private static List<ModelPrompt.OfferedTool> tools(JsonNode list, @Nullable String namespace) {
    var tools = new ArrayList<ModelPrompt.OfferedTool>();
    for (JsonNode tool : list) {
      switch (tool.path("type").asText()) {
        case "function" ->
            tools.add(
                new ModelPrompt.OfferedTool(
                    namespace, tool.path("name").asText(), tool.path("parameters")));
        case "namespace" -> tools.addAll(tools(tool.path("tools"), tool.path("name").asText()));
        default -> {
          // Tools that the maker runs itself.
        }
      }
    }
    return tools;
  }

  @Override
  public ObjectNode whole(ModelPrompt asked, TextAnswer says) {
    return response(asked, says, items(asked, says), status(says));
  }

  private static List<ObjectNode> items(ModelPrompt asked, TextAnswer says) {
    var items = new ArrayList<ObjectNode>();
    if (!says.thinking().isEmpty()) {
      var item = DialectJson.object().put("type", "reasoning").put("id", DialectJson.newId("rs_"));
      item.putArray("summary").addObject().put("type", "summary_text").put("text", says.thinking());
      items.add(item);
    }
    if (!says.text().isEmpty() || says.calls().isEmpty()) {
      var item = DialectJson.object().put("type", "message").put("id", DialectJson.newId("msg_"));
      item.put("role", "assistant").put("status", "completed");
      item.putArray("content").add(part(says.text()));
      items.add(item);
    }
    for (ScriptedAnswer.ScriptedToolCall call : says.calls()) {
      var item =
          DialectJson.object().put("type", "function_call").put("id", DialectJson.newId("fc_"));
      item.put("call_id", DialectJson.newId("call_")).put("status", "completed");
      var tool = asked.tool(call.tool());
      item.put("name", tool.map(ModelPrompt.OfferedTool::name).orElse(call.tool()));
      tool.map(ModelPrompt.OfferedTool::namespace).ifPresent(space -> item.put("namespace", space));
      item.put("arguments", call.arguments());
      items.add(item);
    }
    return items;
  }

  private static ObjectNode part(String text) {
    var part = DialectJson.object().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    return part;
  }

  private static String status(TextAnswer says) {
    return says.ending() == ScriptedAnswer.AnswerEnding.OWN ? "completed" : "incomplete";
  }

  private static ObjectNode response(
      ModelPrompt asked, TextAnswer says, List<ObjectNode> items, String status) {
    var response =
        DialectJson.object()
            .put("id", "resp_scripted")
            .put("object", "response")
            .put("created_at", 1_767_225_600)
            .put("status", status)
            .put("model", asked.model());
    response.putArray("output").addAll(items);
    if (status.equals("incomplete")) {
      String why =
          says.ending() == ScriptedAnswer.AnswerEnding.CUT ? "max_output_tokens" : "content_filter";
      response.putObject("incomplete_details").put("reason", why);
    }
    if (!status.equals("in_progress")) {
      var usage = response.putObject("usage");
      usage.put("input_tokens", says.used().input()).put("output_tokens", says.used().output());
      usage.put("total_tokens", says.used().input() + says.used().output());
      usage.putObject("input_tokens_details").put("cached_tokens", 0);
      usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
    }
    return response;
  }

  @Override
  public List<String> pieces(ModelPrompt asked, TextAnswer says) {
    List<ObjectNode> items = items(asked, says);
    var events = new ArrayList<ObjectNode>();
    for (String kind : List.of("response.created", "response.in_progress")) {
      var event = type(kind);
      event.set("response", response(asked, says, List.of(), "in_progress"));
      events.add(event);
    }
    for (int i = 0; i < items.size(); i++) {
      stream(events, i, items.get(i));
    }
    var end = type("response." + status(says));
    end.set("response", response(asked, says, items, status(says)));
    events.add(end);
    var pieces = new ArrayList<String>();
    for (int i = 0; i < events.size(); i++) {
      pieces.add(DialectJson.typedEvent(events.get(i).put("sequence_number", i)));
    }
    return pieces;
  }

  private static void stream(List<ObjectNode> events, int index, ObjectNode item) {
    String id = item.path("id").asText();
    var added = type("response.output_item.added").put("output_index", index);
    ObjectNode bare = item.deepCopy().put("status", "in_progress");
    switch (item.path("type").asText()) {
      case "function_call" -> bare.put("arguments", "");
      case "reasoning" -> bare.putArray("summary");
      default -> bare.putArray("content");
    }
    added.set("item", bare);
    events.add(added);
    switch (item.path("type").asText()) {
      case "function_call" ->
          deltas(events, "response.function_call_arguments", index, id, item.path("arguments"));
      case "reasoning" ->
          deltas(events, "response.reasoning_summary_text", index, id, item.at("/summary/0/text"));
      default -> text(events, index, id, item);
    }
    var done = type("response.output_item.done").put("output_index", index);
    done.set("item", item);
    events.add(done);
  }

  private static void text(List<ObjectNode> events, int index, String id, ObjectNode item) {
    var added = at(type("response.content_part.added"), index, id);
    added.set("part", part(""));
    events.add(added);
    deltas(events, "response.output_text", index, id, item.at("/content/0/text"));
    var done = at(type("response.content_part.done"), index, id);
    done.set("part", item.at("/content/0"));
    events.add(done);
  }

  private static void deltas(
      List<ObjectNode> events, String kind, int index, String id, JsonNode whole) {
    for (String piece : DialectJson.pieces(whole.asText())) {
      events.add(at(type(kind + ".delta"), index, id).put("delta", piece));
    }
    String key = kind.endsWith("arguments") ? "arguments" : "text";
    events.add(at(type(kind + ".done"), index, id).put(key, whole.asText()));
  }

  private static ObjectNode at(ObjectNode event, int index, String id) {
    return event.put("item_id", id).put("output_index", index).put("content_index", 0);
  }

  private static ObjectNode type(String type) {
    return DialectJson.object().put("type", type);
  }

  @Override
  public ObjectNode error(int status, String message) {
    return ChatDialect.openAiError(status, message, null);
  }

  @Override
  public ObjectNode tooLong() {
    return ChatDialect.openAiError(
        400, "Your input exceeds the context window of this model.", "context_length_exceeded");
  }
}
