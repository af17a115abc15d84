package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.NamedValue;
import dev.substrat.console.TextPreview;
import java.util.List;

/// Converts JSON objects to named values: strings as text, everything else as JSON.
public final class NamedValueConverter {
  private NamedValueConverter() {}

  /// All entries, each cut to `most` characters.
  public static List<NamedValue> of(JsonNode object, int most) {
    return object.propertyStream().map(one -> entry(one.getKey(), one.getValue(), most)).toList();
  }

  private static NamedValue entry(String name, JsonNode value, int most) {
    boolean isCode = value.isContainerNode();
    String text = isCode ? value.toPrettyString() : value.asText();
    var beginning = TextPreview.of(text, most);
    return new NamedValue(name, beginning.text(), isCode, beginning.missing());
  }
}
