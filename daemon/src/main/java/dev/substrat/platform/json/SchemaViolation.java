package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Error messages for schema violations: the pointer, the problem, and the probable correction.
final class SchemaViolation {
  private static final Pattern ADDRESS = Pattern.compile("[^@\\s]+@[^@\\s]+");

  private static final int MAX_QUOTE_LENGTH = 60;

  private static final Pattern TIMESPAN = Pattern.compile("\\d+(\\.\\d+)?\\s*[A-Za-z]+");

  private SchemaViolation() {}

  /// Whether to ignore an error: the library rejects email addresses in private domains; and for
  /// `off` the `const` error for false duplicates the other one.
  static boolean isNone(Error error, JsonNode schema) {
    boolean isReported =
        error.getKeyword().equals("const")
            && OffKeyword.OffKeywordSchema.words(schema, place(error)).isPresent();
    return isReported || isOfOwnNetwork(error, schema);
  }

  private static boolean isOfOwnNetwork(Error error, JsonNode schema) {
    return error.getKeyword().equals("format")
        && schema.at(place(error)).asText().endsWith("email")
        && ADDRESS.matcher(error.getInstanceNode().asText()).matches();
  }

  static Problem.ProblemDetail of(Error error, JsonNode schema) {
    String pointer = error.getInstanceLocation().toString();
    String property = error.getProperty();
    String rule = error.getKeyword();
    if (property != null && rule.equals("additionalProperties")) {
      return new Problem.ProblemDetail(at(pointer, property), unknown(property, error, schema));
    }
    if (property != null && rule.equals("required")) {
      return new Problem.ProblemDetail(at(pointer, property), "is missing");
    }
    return new Problem.ProblemDetail(
        pointer,
        switch (rule) {
          case "enum" -> choice(error, schema);
          case "format" -> format(error, schema);
          case "type" -> type(error, schema);
          default -> shorter(error.getMessage(), pointer);
        });
  }

  private static String type(Error error, JsonNode schema) {
    return OffKeyword.OffKeywordSchema.words(schema, place(error))
        .map(words -> "must be a string: " + words)
        .orElseGet(() ->
            shorter(error.getMessage(), error.getInstanceLocation().toString())
                + unit(error, schema));
  }

  /// Hint about the unit for values like `10s`.
  private static String unit(Error error, JsonNode schema) {
    String place = place(error);
    boolean isNumber = Set.of("integer", "number").contains(schema.at(place).asText());
    if (!isNumber || !TIMESPAN.matcher(error.getInstanceNode().asText()).matches()) {
      return "";
    }
    String description =
        schema.at(place.substring(0, place.lastIndexOf('/')) + "/description").asText();
    return description.toLowerCase(Locale.ROOT).contains("milliseconds")
        ? "; write milliseconds as a number without a unit"
        : "; write a number without a unit";
  }

  private static String format(Error error, JsonNode schema) {
    return switch (schema.at(place(error)).asText()) {
      case "date" -> "must be a date such as 2026-03-31";
      case "date-time" -> "must be a timestamp such as 2026-03-31T12:00:00Z";
      case "time" -> "must be a time such as 12:00:00Z";
      case "email" -> "must be an email address";
      case "uri" -> "must be a URL such as https://example.com";
      default -> shorter(error.getMessage(), error.getInstanceLocation().toString());
    };
  }

  private static String at(String pointer, String property) {
    return pointer + "/" + property.replace("~", "~0").replace("/", "~1");
  }

  private static String unknown(String property, Error error, JsonNode schema) {
    String place = place(error);
    JsonNode siblings = schema.at(place.substring(0, place.lastIndexOf('/')) + "/properties");
    List<String> known = new ArrayList<>();
    siblings.fieldNames().forEachRemaining(known::add);
    return "is not a known key" + SpellingSuggestion.suggestionSuffix(property, known);
  }

  private static String choice(Error error, JsonNode schema) {
    List<String> choices = schema.at(place(error)).valueStream().map(JsonNode::asText).toList();
    String pointer = error.getInstanceLocation().toString();
    return choices.isEmpty()
        ? shorter(error.getMessage(), pointer)
        : choices.stream().collect(Collectors.joining(", ", "must be one of ", ""))
            + ", not "
            + quoted(error.getInstanceNode())
            + SpellingSuggestion.suggestionSuffix(error.getInstanceNode().asText(), choices);
  }

  private static String quoted(JsonNode value) {
    String text = Json.text(value);
    return text.length() <= MAX_QUOTE_LENGTH ? text : text.substring(0, MAX_QUOTE_LENGTH) + "…";
  }

  /// Pointer of the violated rule in the schema.
  private static String place(Error error) {
    return error.getSchemaLocation().getFragment().toString();
  }

  /// Without the place at the start, which our message has already.
  static String shorter(String message, String pointer) {
    return message.startsWith(pointer + ": ") ? message.substring(pointer.length() + 2) : message;
  }
}
