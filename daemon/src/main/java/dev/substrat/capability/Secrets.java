package dev.substrat.capability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The values from the environment that one call has used. A service may say again what it was
/// sent, so they are taken out of everything that comes back.
public final class Secrets {
  private static final String HIDDEN = "[redacted]";

  /// What is shorter stands everywhere by chance, and hides nothing.
  private static final int SHORTEST = 4;

  private final Set<String> values = new LinkedHashSet<>();

  /// From now on nothing may say this.
  public void add(String value) {
    if (value.length() < SHORTEST) {
      return;
    }
    values.add(value);
    values.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
    values.add(encoded(value));
    String quoted = Json.text(value);
    values.add(quoted.substring(1, quoted.length() - 1));
  }

  private static String encoded(String value) {
    return Base64.getEncoder()
        .withoutPadding()
        .encodeToString(value.getBytes(StandardCharsets.UTF_8));
  }

  /// The text without them.
  public String hide(String text) {
    String hidden = text;
    for (String value : longestFirst()) {
      hidden = hidden.replace(value, HIDDEN);
    }
    return hidden;
  }

  /// One may be part of another.
  private List<String> longestFirst() {
    return values.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  /// The value without them, in keys as well.
  public JsonNode hide(JsonNode value) {
    if (values.isEmpty()) {
      return value;
    }
    if (value instanceof ObjectNode object) {
      var hidden = Json.object();
      object
          .properties()
          .forEach(entry -> hidden.set(hide(entry.getKey()), hide(entry.getValue())));
      return hidden;
    }
    if (value.isArray()) {
      var items = Json.object().putArray("items");
      value.forEach(item -> items.add(hide(item)));
      return items;
    }
    return value.isTextual() ? new TextNode(hide(value.asText())) : value;
  }
}
