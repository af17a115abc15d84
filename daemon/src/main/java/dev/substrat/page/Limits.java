package dev.substrat.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.approvals.Question.Bounds;
import org.jspecify.annotations.Nullable;

/// What a schema allows, as far as a browser understands it. The rest is said when the answer
/// comes.
final class Limits {
  private Limits() {}

  static Bounds of(JsonNode schema) {
    return switch (schema.path("type").asText("string")) {
      case "integer" -> number(schema, "1");
      case "number" -> number(schema, "any");
      case "string" -> text(schema);
      default -> Bounds.NONE;
    };
  }

  private static Bounds number(JsonNode schema, String step) {
    return new Bounds(
        "number", word(schema, "minimum"), word(schema, "maximum"), step, null, null, null);
  }

  private static Bounds text(JsonNode schema) {
    String type =
        switch (schema.path("format").asText()) {
          case "date" -> "date";
          case "email" -> "email";
          case "uri" -> "url";
          default -> "text";
        };
    String pattern = word(schema, "pattern");
    return new Bounds(
        type,
        null,
        null,
        null,
        word(schema, "minLength"),
        word(schema, "maxLength"),
        // In a schema it may match anywhere, in a browser it must match everything.
        pattern == null ? null : ".*(?:" + pattern + ").*");
  }

  private static @Nullable String word(JsonNode schema, String rule) {
    return schema.hasNonNull(rule) ? schema.path(rule).asText() : null;
  }
}
