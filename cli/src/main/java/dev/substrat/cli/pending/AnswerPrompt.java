package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.cli.shell.Terminal;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Asks in a terminal for everything that an answer is made of, one line each.
record AnswerPrompt(Terminal screen) {

  /// JSON if it is, else the text itself. What was meant as JSON and is not counts as a slip: an
  /// answer counts once.
  static JsonNode read(String typed) {
    try {
      JsonNode value = JsonTree.parse(typed.getBytes(StandardCharsets.UTF_8));
      return value.isMissingNode() ? new TextNode(typed) : value;
    } catch (IOException e) {
      if (typed.stripLeading().startsWith("{") || typed.stripLeading().startsWith("[")) {
        throw new Fault(
            ErrorCode.INVALID_ARGUMENTS,
            "the result is not JSON: " + typed,
            "names and texts stand in double quotes: '{\"confirmed\":true}'",
            e);
      }
      return new TextNode(typed);
    }
  }

  /// The answer to a call whose form has one question to say yes to.
  static ObjectNode yes(JsonNode call) {
    JsonNode form = call.path("form");
    List<String> questions =
        form.at("/schema/properties")
            .propertyStream()
            .filter(one -> one.getValue().path("type").asText().equals("boolean"))
            .map(Map.Entry::getKey)
            .toList();
    List<String> demanded =
        form.at("/schema/required").valueStream().map(JsonNode::asText).toList();
    if (questions.size() != 1 || !questions.containsAll(demanded)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "a yes is not enough for this call",
          "./substrat pending show %s says what it wants".formatted(call.path("callId").asText()));
    }
    return JsonTree.object().put(questions.getFirst(), true);
  }

  JsonNode result(JsonNode form) {
    JsonNode properties = form.at("/schema/properties");
    if (properties.isEmpty()) {
      return read(screen.reply("result:"));
    }
    ObjectNode result = JsonTree.object();
    for (Map.Entry<String, JsonNode> entry : properties.properties()) {
      JsonNode value =
          value(entry.getKey(), entry.getValue(), form.at("/values/" + entry.getKey()));
      if (!value.isMissingNode()) {
        result.set(entry.getKey(), value);
      }
    }
    return result;
  }

  /// An empty line leaves what was there.
  private JsonNode value(String name, JsonNode schema, JsonNode before) {
    if (schema.path("type").asText().equals("boolean")) {
      return BooleanNode.valueOf(screen.agrees(name + "?"));
    }
    String choices = schema.has("enum") ? " " + JsonTree.text(schema.path("enum")) : "";
    String known = before.isMissingNode() ? "" : " (" + before.asText() + ")";
    String typed = screen.reply(name + choices + known + ":");
    if (typed.isEmpty()) {
      return before;
    }
    return schema.path("type").asText().equals("string") || choices.contains("\"" + typed + "\"")
        ? new TextNode(typed)
        : read(typed);
  }
}
