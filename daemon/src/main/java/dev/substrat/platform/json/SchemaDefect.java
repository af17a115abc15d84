package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.substrat.protocol.SpellingSuggestion;
import java.io.FileNotFoundException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.PatternSyntaxException;

/// Error in a JSON Schema itself: `place` is the pointer to it, as far as known, `words` the
/// message.
public record SchemaDefect(String place, String words) {
  private static final List<String> TYPES =
      List.of("string", "number", "integer", "boolean", "object", "array", "null");

  /// The schemas of schemas, which come with the library. Compiled on first use.
  private static final Map<SpecificationVersion, com.networknt.schema.Schema> META_SCHEMAS =
      new ConcurrentHashMap<>();

  /// The deepest place first; at the same place, an error that lists the allowed values.
  private static final Comparator<Error> BEST_FIRST =
      Comparator.<Error>comparingInt(error -> -error.getInstanceLocation().getNameCount())
          .thenComparing(error -> !error.getKeyword().equals("enum"));

  static Optional<SchemaDefect> find(JsonNode json, SchemaRegistry registry) {
    Optional<String> whole =
        trouble(() -> {
          var schema = registry.getSchema(json);
          schema.initializeValidators();
          schema.validate(Json.object());
        });
    return whole.isPresent()
        ? Optional.of(deepest(json, "", registry).orElse(new SchemaDefect("", whole.get())))
        : misspelt(json);
  }

  /// The first violation of the meta-schema. Validators ignore unknown keywords, so such a schema
  /// would accept what its author meant to reject.
  private static Optional<SchemaDefect> misspelt(JsonNode json) {
    String dialect = json.path("$schema").asText(SpecificationVersion.DRAFT_2020_12.getDialectId());
    return SpecificationVersion.fromDialectId(dialect)
        .flatMap(version ->
            META_SCHEMAS.computeIfAbsent(version, SchemaDefect::metaSchema).validate(json).stream()
                .min(BEST_FIRST)
                .map(SchemaDefect::of));
  }

  private static com.networknt.schema.Schema metaSchema(SpecificationVersion version) {
    return SchemaRegistry.withDefaultDialect(version)
        .getSchema(SchemaLocation.of(version.getDialectId()));
  }

  private static SchemaDefect of(Error error) {
    String place = error.getInstanceLocation().toString();
    String found = Json.text(error.getInstanceNode());
    String words =
        error.getKeyword().equals("enum") && place.endsWith("/type")
            ? "is not a type; use one of: %s%s"
                .formatted(
                    String.join(", ", TYPES),
                    SpellingSuggestion.suggestionSuffix(error.getInstanceNode().asText(), TYPES))
            : "is invalid: " + SchemaViolation.shorter(error.getMessage(), place);
    return new SchemaDefect(
        place, (found.length() > 60 ? found.substring(0, 60) + "…" : found) + " " + words);
  }

  /// The innermost invalid part. A reference is skipped, because it needs the whole schema.
  private static Optional<SchemaDefect> deepest(
      JsonNode node, String place, SchemaRegistry registry) {
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      var inner = deepest(node.get(i), place + "/" + i, registry);
      if (inner.isPresent()) {
        return inner;
      }
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      var inner = deepest(entry.getValue(), place + "/" + entry.getKey(), registry);
      if (inner.isPresent()) {
        return inner;
      }
    }
    return node.isObject()
        ? trouble(() -> registry.getSchema(node)).map(words -> new SchemaDefect(place, words))
        : Optional.empty();
  }

  private static Optional<String> trouble(Runnable attempt) {
    try {
      attempt.run();
      return Optional.empty();
    } catch (StackOverflowError e) {
      return Optional.of("it has an infinite $ref cycle");
    } catch (RuntimeException e) {
      return Optional.of(words(e));
    }
  }

  private static String words(Throwable e) {
    return switch (e.getCause() == null ? e : e.getCause()) {
      case PatternSyntaxException bad -> bad.getDescription() + " in " + bad.getPattern();
      case FileNotFoundException gone -> "it has no target for $ref " + gone.getMessage();
      case Throwable other -> String.valueOf(other.getMessage()).lines().findFirst().orElse("");
    };
  }
}
