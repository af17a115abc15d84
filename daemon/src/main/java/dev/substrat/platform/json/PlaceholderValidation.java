package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import java.util.Set;
import java.util.regex.Pattern;

/// Validation of a JSON value that still contains placeholders: reports only problems that exist
/// for every possible value of them.
///
/// A text that is exactly one placeholder can become any value; any other text with placeholders
/// stays a text of unknown content.
final class PlaceholderValidation {
  /// Rules that do not depend on the contents of an object or a list.
  private static final Set<String> OF_SHAPE = Set.of("type", "required", "additionalProperties");

  /// Keywords with which one part of a schema decides whether another applies.
  private static final Set<String> BRANCHES =
      Set.of("anyOf", "oneOf", "not", "if", "then", "else", "contains", "dependentSchemas");

  private final Pattern place;
  private final boolean isOpen;

  PlaceholderValidation(JsonNode value, Pattern place) {
    this.place = place;
    this.isOpen = hasPlace(value);
  }

  boolean isCertain(Error error) {
    JsonNode found = error.getInstanceNode();
    if (!isOpen || found == null) {
      return true;
    }
    if (isBranched(error) || (found.isTextual() && place.matcher(found.asText()).matches())) {
      return false;
    }
    return OF_SHAPE.contains(error.getKeyword()) || !hasPlace(found);
  }

  private static boolean isBranched(Error error) {
    for (String step : error.getEvaluationPath().toString().split("/")) {
      if (BRANCHES.contains(step)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasPlace(JsonNode value) {
    if (value.isTextual()) {
      return place.matcher(value.asText()).find();
    }
    for (JsonNode inner : value) {
      if (hasPlace(inner)) {
        return true;
      }
    }
    return false;
  }
}
