package dev.substrat.server.console.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.approvals.PendingQuestion.FieldBounds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/// Constraints of a JSON Schema that browsers can check. The daemon checks the others on submit.
final class FieldConstraints {
  /// Maximum number of digits; rounding longer numbers is slow.
  private static final int DIGITS = 40;

  private FieldConstraints() {}

  /// `first` is the initial value. If the browser's control would not show it, the field is plain
  /// text: the person must see what they approve.
  static FieldBounds of(JsonNode schema, String first) {
    return switch (schema.path("type").asText("string")) {
      case "integer" -> isNumber(first) ? integer(schema) : FieldBounds.NONE;
      case "number" -> isNumber(first) ? number(schema) : FieldBounds.NONE;
      case "string" -> text(schema, first);
      default -> FieldBounds.NONE;
    };
  }

  private static boolean isNumber(String first) {
    return first.isEmpty() || first.matches("-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,2})?");
  }

  /// Browsers count steps from the minimum, so it must be a whole number, too.
  private static FieldBounds integer(JsonNode schema) {
    String least = whole(schema.path("minimum"), RoundingMode.CEILING);
    String most = whole(schema.path("maximum"), RoundingMode.FLOOR);
    return new FieldBounds("number", least, most, "1", null, null);
  }

  private static @Nullable String whole(JsonNode limit, RoundingMode rounding) {
    if (!limit.isNumber()) {
      return null;
    }
    BigDecimal exact = limit.decimalValue();
    return Math.abs((long) exact.scale()) > DIGITS
        ? null
        : exact.setScale(0, rounding).toPlainString();
  }

  private static FieldBounds number(JsonNode schema) {
    return new FieldBounds(
        "number", word(schema, "minimum"), word(schema, "maximum"), "any", null, null);
  }

  private static FieldBounds text(JsonNode schema, String first) {
    String type =
        switch (schema.path("format").asText()) {
          case "date" -> first.isEmpty() || isDate(first) ? "date" : "text";
          case "email" -> "email";
          case "uri" -> "url";
          default -> "text";
        };
    String pattern = word(schema, "pattern");
    return new FieldBounds(
        type,
        null,
        null,
        null,
        word(schema, "minLength"),
        // A schema pattern may match anywhere, a browser pattern must match the whole value.
        pattern == null ? null : ".*(?:" + pattern + ").*");
  }

  private static boolean isDate(String first) {
    try {
      return LocalDate.parse(first).getYear() > 0 && first.length() == "2026-03-31".length();
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static @Nullable String word(JsonNode schema, String rule) {
    return schema.hasNonNull(rule) ? schema.path(rule).asText() : null;
  }
}
