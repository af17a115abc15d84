package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One middleware around calls of a tool: a name, or `{name: options}`.
public record MiddlewareConfig(String name, ObjectNode options) {
  /// The options of each, by name.
  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          "repair", Set.of(),
          "cache", Set.of("ttlSeconds"),
          "log", Set.of(),
          "limit", Set.of("perMinute"),
          "redact", Set.of("keys"));

  private static final List<String> NAMES = List.of("repair", "cache", "log", "limit", "redact");

  public static MiddlewareConfig parse(JsonNode written) {
    if (written.isTextual()) {
      return checked(written.asText(), Json.object());
    }
    if (written instanceof ObjectNode one
        && one.size() == 1
        && one.elements().next() instanceof ObjectNode options) {
      return checked(one.fieldNames().next(), options);
    }
    throw invalid(
        "a middleware must be a name or {name: {options}}", "for example: [repair, cache]");
  }

  private static MiddlewareConfig checked(String name, ObjectNode options) {
    Set<String> known = KNOWN.get(name);
    if (known == null) {
      throw invalid(
          "unknown middleware \"" + name + "\"",
          SpellingSuggestion.suggestion(name, NAMES) + "use one of: " + String.join(", ", NAMES));
    }
    options
        .fieldNames()
        .forEachRemaining(option -> {
          if (!known.contains(option)) {
            throw invalid(
                "unknown option of middleware %s: \"%s\"".formatted(name, option),
                known.isEmpty()
                    ? "this middleware has no options"
                    : SpellingSuggestion.suggestion(option, known)
                        + "options: "
                        + String.join(", ", known));
          }
        });
    requireNumber(options, "ttlSeconds", 86_400);
    requireNumber(options, "perMinute", 100_000);
    requireKeys(name, options);
    return new MiddlewareConfig(name, options);
  }

  private static void requireNumber(ObjectNode options, String option, int most) {
    JsonNode value = options.path(option);
    if (!value.isMissingNode()
        && !(value.isIntegralNumber() && value.asLong() >= 1 && value.asLong() <= most)) {
      throw invalid(
          option + " must be a whole number from 1 to " + most,
          "write a number without quotes or unit, for example %s: 60".formatted(option));
    }
  }

  private static void requireKeys(String name, ObjectNode options) {
    boolean areTexts = options.path("keys").isArray() && !options.path("keys").isEmpty();
    for (JsonNode key : options.path("keys")) {
      areTexts &= key.isTextual();
    }
    if (name.equals("redact") && !areTexts) {
      throw invalid("redact needs keys, a list of names", "for example redact: {keys: [password]}");
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
