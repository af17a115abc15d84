package dev.substrat.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SchemaRegistry;
import java.io.FileNotFoundException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/// What makes a schema useless: `place` is where in it, as far as that can be told, and `words` say
/// it to its author.
public record SchemaFlaw(String place, String words) {

  static Optional<SchemaFlaw> find(JsonNode json, SchemaRegistry registry) {
    Optional<String> whole =
        trouble(() -> {
          var schema = registry.getSchema(json);
          schema.initializeValidators();
          schema.validate(Json.object());
        });
    return whole.map(words -> deepest(json, "", registry).orElse(new SchemaFlaw("", words)));
  }

  /// The innermost part that is useless by itself. A reference is not: it needs the whole.
  private static Optional<SchemaFlaw> deepest(
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
        ? trouble(() -> registry.getSchema(node)).map(words -> new SchemaFlaw(place, words))
        : Optional.empty();
  }

  private static Optional<String> trouble(Runnable attempt) {
    try {
      attempt.run();
      return Optional.empty();
    } catch (StackOverflowError e) {
      return Optional.of("it refers to itself without end");
    } catch (RuntimeException e) {
      return Optional.of(words(e));
    }
  }

  private static String words(Throwable e) {
    return switch (e.getCause() == null ? e : e.getCause()) {
      case PatternSyntaxException bad -> bad.getDescription() + " in " + bad.getPattern();
      case FileNotFoundException gone ->
          "it refers to " + gone.getMessage() + ", which is not in it";
      case Throwable other -> String.valueOf(other.getMessage()).lines().findFirst().orElse("");
    };
  }
}
