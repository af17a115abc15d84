package dev.substrat.toolset.custom.middleware;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Repairs arguments that models often get slightly wrong: a number or an object in quotes, one
/// value in place of a list. Everything else is unchanged and validated as usual.
public final class RepairMiddleware {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}(\\.\\d{1,15})?");

  private RepairMiddleware() {}

  public static ObjectNode repair(JsonNode schema, ObjectNode arguments) {
    return (ObjectNode) object(schema, arguments);
  }

  private static JsonNode object(JsonNode schema, ObjectNode value) {
    var fitted = Json.object();
    value
        .properties()
        .forEach(entry ->
            fitted.set(
                entry.getKey(),
                value(schema.path("properties").path(entry.getKey()), entry.getValue())));
    return fitted;
  }

  private static JsonNode value(JsonNode schema, JsonNode value) {
    return switch (schema.path("type").asText()) {
      case "integer", "number" -> number(schema, value);
      case "boolean" -> truth(value);
      case "string" -> value.isNumber() || value.isBoolean() ? new TextNode(value.asText()) : value;
      case "array" -> list(schema, value);
      case "object" -> unquoted(value) instanceof ObjectNode found ? object(schema, found) : value;
      default -> value;
    };
  }

  private static JsonNode number(JsonNode schema, JsonNode value) {
    String text = value.asText().strip();
    if (!value.isTextual() || !NUMBER.matcher(text).matches()) {
      return value;
    }
    boolean isWhole = text.indexOf('.') < 0;
    return isWhole || schema.path("type").asText().equals("number")
        ? Json.own(canonical(text))
        : value;
  }

  /// JSON knows no leading zeros.
  private static String canonical(String number) {
    return number.replaceFirst("^(-?)0+(?=\\d)", "$1");
  }

  private static JsonNode truth(JsonNode value) {
    return switch (value.isTextual()
        ? value.asText().strip().toLowerCase(java.util.Locale.ROOT)
        : "") {
      case "true", "yes" -> BooleanNode.TRUE;
      case "false", "no" -> BooleanNode.FALSE;
      default -> value;
    };
  }

  private static JsonNode list(JsonNode schema, JsonNode value) {
    JsonNode found = unquoted(value);
    var items = Json.object().putArray("items");
    if (found.isArray()) {
      found.forEach(item -> items.add(value(schema.path("items"), item)));
    } else if (!found.isNull()) {
      items.add(value(schema.path("items"), found));
    } else {
      return value;
    }
    return items;
  }

  /// An object or a list that was written into a string.
  private static JsonNode unquoted(JsonNode value) {
    String text = value.isTextual() ? value.asText().strip() : "";
    if (!text.startsWith("{") && !text.startsWith("[")) {
      return value;
    }
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Fault e) {
      return value;
    }
  }
}
