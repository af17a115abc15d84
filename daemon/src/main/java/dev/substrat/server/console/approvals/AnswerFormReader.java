package dev.substrat.server.console.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.console.approvals.PendingQuestion.FieldKind;
import dev.substrat.console.approvals.PendingQuestion.FormComponent;
import dev.substrat.http.server.FormData;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Converts a submitted answer form to the result of the pending call.
final class AnswerFormReader {
  /// Name of the field with the complete answer as JSON.
  static final String WHOLE = "";

  /// Prefix of field names, to avoid conflicts with our own fields.
  private static final String VALUE = "v.";

  /// Longer texts get a multi-line field.
  private static final int ONE_LINE = 80;

  private AnswerFormReader() {}

  static JsonNode result(
      dev.substrat.toolset.custom.AnswerForm asked, FormData filled, boolean isYes) {
    JsonNode properties = asked.schema().path("properties");
    if (properties.isEmpty()) {
      return json("the answer", filled.text(VALUE + WHOLE));
    }
    ObjectNode result = Json.object();
    properties
        .propertyStream()
        .forEach(one ->
            value(one.getKey(), one.getValue(), filled)
                .ifPresent(value -> result.set(one.getKey(), value)));
    FormComponent component = QuestionReader.component(asked);
    if (component == FormComponent.CONFIRM) {
      result.put("confirmed", isYes);
    } else if (component == FormComponent.APPROVAL) {
      result.put("approved", isYes);
    }
    require(asked, result);
    return result;
  }

  /// Validates the answer; errors name the labels of the form instead of JSON pointers.
  private static void require(dev.substrat.toolset.custom.AnswerForm asked, ObjectNode result) {
    try {
      asked.require(result);
    } catch (Fault e) {
      List<Problem.ProblemDetail> wrong = e.problem().details();
      throw wrong == null
          ? e
          : wrong(
              wrong.stream()
                  .map(one -> label(asked, one.pointer()) + " " + one.message())
                  .collect(Collectors.joining("; ")),
              "correct the answer, or decline",
              e);
    }
  }

  private static String label(dev.substrat.toolset.custom.AnswerForm asked, String pointer) {
    String name =
        pointer.isEmpty()
            ? "the answer"
            : pointer.substring(1).replace("~1", "/").replace("~0", "~");
    return label(asked.schema().path("properties").path(name), name);
  }

  /// Label of a value.
  static String label(JsonNode schema, String name) {
    return schema.path("title").asText(name);
  }

  /// Field kind of a value.
  static FieldKind kind(JsonNode schema, String first) {
    if (schema.path("enum").isArray()) {
      return FieldKind.CHOICE;
    }
    return switch (schema.path("type").asText("string")) {
      case "boolean" -> FieldKind.CHECK;
      case "number", "integer" -> FieldKind.NUMBER;
      case "string" ->
          first.length() > ONE_LINE || first.contains("\n") ? FieldKind.LINES : FieldKind.LINE;
      default -> FieldKind.JSON;
    };
  }

  private static Optional<JsonNode> value(String name, JsonNode schema, FormData filled) {
    FieldKind kind = kind(schema, "");
    if (kind == FieldKind.CHECK) {
      return Optional.of(BooleanNode.valueOf(filled.has(VALUE + name)));
    }
    String text = filled.text(VALUE + name);
    if (text.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (kind) {
          case CHOICE -> chosen(label(schema, name), schema.path("enum"), text);
          case NUMBER -> number(label(schema, name), schema, text);
          case JSON -> json(label(schema, name), text);
          case LINE, LINES, CHECK -> TextNode.valueOf(text);
        });
  }

  private static JsonNode chosen(String name, JsonNode options, String index) {
    JsonNode chosen =
        index.matches("[0-9]{1,6}")
            ? options.path(Integer.parseInt(index))
            : MissingNode.getInstance();
    if (chosen.isMissingNode()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          name + " must be one of the options", "choose an option");
    }
    return chosen;
  }

  private static JsonNode number(String name, JsonNode schema, String text) {
    boolean isWhole = schema.path("type").asText().equals("integer");
    try {
      var number = new BigDecimal(text.strip());
      return Json.own(isWhole ? number.toBigIntegerExact().toString() : number.toPlainString());
    } catch (ArithmeticException | NumberFormatException e) {
      String kind = isWhole ? "a whole number" : "a number";
      throw wrong(name + " must be " + kind + ", not \"" + text + "\"", "correct the value", e);
    }
  }

  private static JsonNode json(String name, String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Fault e) {
      throw wrong(name + " is not JSON: " + e.message(), "correct the JSON", e);
    }
  }

  private static Fault wrong(String message, String hint, Throwable cause) {
    return ErrorCode.INVALID_ARGUMENTS.fault(message, hint, cause);
  }
}
