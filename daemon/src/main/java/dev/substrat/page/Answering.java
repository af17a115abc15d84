package dev.substrat.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.console.approvals.Question.Component;
import dev.substrat.console.approvals.Question.Kind;
import dev.substrat.fault.Fault;
import dev.substrat.http.Form;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a person filled in, as the result that a call waits for.
final class Answering {
  /// The name of the field that is the whole answer.
  static final String WHOLE = "";

  /// In front of the fields' names, so that none of them is one of ours.
  private static final String VALUE = "v.";

  /// Longer than this, words want more than one line.
  private static final int ONE_LINE = 80;

  private Answering() {}

  static JsonNode result(dev.substrat.gateway.Form asked, Form filled, boolean isYes) {
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
    Component component = Asking.component(asked);
    if (component == Component.CONFIRM) {
      result.put("confirmed", isYes);
    } else if (component == Component.APPROVAL) {
      result.put("approved", isYes);
    }
    asked.schema().path("required").forEach(name -> requireGiven(result, name.asText()));
    return result;
  }

  private static void requireGiven(ObjectNode result, String name) {
    if (!result.has(name)) {
      throw wrong(name + " is missing", "fill it in, or decline", null);
    }
  }

  /// How a value is filled in.
  static Kind kind(JsonNode schema, String first) {
    if (schema.path("enum").isArray()) {
      return Kind.CHOICE;
    }
    return switch (schema.path("type").asText("string")) {
      case "boolean" -> Kind.CHECK;
      case "number", "integer" -> Kind.NUMBER;
      case "string" -> first.length() > ONE_LINE || first.contains("\n") ? Kind.LINES : Kind.LINE;
      default -> Kind.JSON;
    };
  }

  private static Optional<JsonNode> value(String name, JsonNode schema, Form filled) {
    Kind kind = kind(schema, "");
    if (kind == Kind.CHECK) {
      return Optional.of(BooleanNode.valueOf(filled.has(VALUE + name)));
    }
    String text = filled.text(VALUE + name);
    if (text.isBlank()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (kind) {
          case CHOICE -> chosen(name, schema.path("enum"), text);
          case NUMBER -> number(name, schema, text);
          case JSON -> json(name, text);
          case LINE, LINES, CHECK -> TextNode.valueOf(text);
        });
  }

  private static JsonNode chosen(String name, JsonNode options, String index) {
    JsonNode chosen =
        index.matches("[0-9]{1,6}")
            ? options.path(Integer.parseInt(index))
            : Json.object().path(name);
    if (chosen.isMissingNode()) {
      throw wrong(name + " must be one of what can be chosen", "choose one", null);
    }
    return chosen;
  }

  private static JsonNode number(String name, JsonNode schema, String text) {
    try {
      var number = new BigDecimal(text.strip());
      boolean isWhole = schema.path("type").asText().equals("integer");
      return Json.own(isWhole ? number.toBigIntegerExact().toString() : number.toPlainString());
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(name + " must be a number, not \"" + text + "\"", "correct it", e);
    }
  }

  private static JsonNode json(String name, String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Fault e) {
      throw wrong(name + " is not JSON: " + e.message(), "correct it", e);
    }
  }

  private static Fault wrong(String message, String hint, @Nullable Throwable cause) {
    return cause == null
        ? new Fault(ErrorCode.INVALID_ARGUMENTS, message, hint)
        : new Fault(ErrorCode.INVALID_ARGUMENTS, message, hint, cause);
  }
}
