package dev.substrat.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.Beginning;
import dev.substrat.console.Entry;
import java.util.List;

/// Values as they were given: words as words, everything else as JSON.
public final class NamedValues {
  private NamedValues() {}

  /// All of them, each not longer than `most` characters.
  public static List<Entry> of(JsonNode object, int most) {
    return object.propertyStream().map(one -> entry(one.getKey(), one.getValue(), most)).toList();
  }

  private static Entry entry(String name, JsonNode value, int most) {
    boolean isCode = value.isContainerNode();
    String text = isCode ? value.toPrettyString() : value.asText();
    var beginning = Beginning.of(text, most);
    return new Entry(name, beginning.text(), isCode, beginning.missing());
  }
}
