package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Secrets from the environment that one call used. A service may echo them, so they are redacted
/// from everything it returns.
///
/// Safe for many threads: the search pattern is rebuilt with each value.
public final class UsedSecrets {
  private static final String HIDDEN = "[redacted]";

  /// Shorter values occur by chance, and are not redacted.
  private static final int SHORTEST = 4;

  private final Set<String> wanted = new LinkedHashSet<>();
  private volatile @Nullable Pattern pattern;

  /// From now on nothing may say this.
  public synchronized void add(String value) {
    if (value.length() >= SHORTEST && wanted.addAll(SecretEncodings.of(value))) {
      // One may be part of another.
      pattern =
          Pattern.compile(
              wanted.stream()
                  .sorted(Comparator.comparingInt(String::length).reversed())
                  .collect(Collectors.joining("|")));
    }
  }

  /// The text without them.
  public String redact(String text) {
    Pattern known = pattern;
    return known == null ? text : known.matcher(text).replaceAll(HIDDEN);
  }

  /// The value without them, in keys as well.
  public JsonNode redact(JsonNode value) {
    if (pattern == null) {
      return value;
    }
    if (value instanceof ObjectNode object) {
      var hidden = Json.object();
      object
          .properties()
          .forEach(entry -> hidden.set(redact(entry.getKey()), redact(entry.getValue())));
      return hidden;
    }
    if (value.isArray()) {
      var items = Json.object().putArray("items");
      value.forEach(item -> items.add(redact(item)));
      return items;
    }
    // A number may be one as well.
    String text = value.asText();
    String rest = redact(text);
    return rest.equals(text) ? value : new TextNode(rest);
  }
}
