package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Asks on a terminal for each field of an answer.
record AnswerPrompt(Terminal screen) {

  /// Parses JSON, or takes the input as text. Input that starts like JSON and is invalid is an
  /// error, because an answer is final.
  static JsonNode read(String typed) {
    try {
      JsonNode value = JsonTree.parse(typed.getBytes(StandardCharsets.UTF_8));
      return value.isMissingNode() ? new TextNode(typed) : value;
    } catch (IOException e) {
      if (typed.stripLeading().startsWith("{") || typed.stripLeading().startsWith("[")) {
        throw ErrorCode.INVALID_ARGUMENTS.fault(
            "the result is not valid JSON: " + typed,
            "put keys and texts in double quotes, for example '{\"confirmed\":true}'",
            e);
      }
      return new TextNode(typed);
    }
  }

  /// Approves a call whose form has exactly one yes/no field.
  static ObjectNode approval(JsonNode call) {
    JsonNode form = call.path("form");
    List<String> questions =
        form.at("/schema/properties")
            .propertyStream()
            .filter(one -> one.getValue().path("type").asText().equals("boolean"))
            .map(Map.Entry::getKey)
            .toList();
    List<String> required =
        form.at("/schema/required").valueStream().map(JsonNode::asText).toList();
    if (questions.size() != 1 || !questions.containsAll(required)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--approve is not enough: this call needs an answer with more than yes or no",
          "show the expected answer: ./substrat pending show %s"
              .formatted(call.path("callId").asText()));
    }
    return JsonTree.object().put(questions.getFirst(), true);
  }

  JsonNode result(JsonNode form) {
    JsonNode properties = form.at("/schema/properties");
    if (properties.isEmpty()) {
      return read(screen.prompt("result:"));
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

  /// An empty line keeps the given value.
  private JsonNode value(String name, JsonNode schema, JsonNode before) {
    if (schema.path("type").asText().equals("boolean")) {
      return BooleanNode.valueOf(screen.confirm(name + "?"));
    }
    String choices = schema.has("enum") ? " " + JsonTree.text(schema.path("enum")) : "";
    String known = before.isMissingNode() ? "" : " (" + before.asText() + ")";
    String typed = screen.prompt(name + choices + known + ":");
    if (typed.isEmpty()) {
      return before;
    }
    return schema.path("type").asText().equals("string") || choices.contains("\"" + typed + "\"")
        ? new TextNode(typed)
        : read(typed);
  }
}
