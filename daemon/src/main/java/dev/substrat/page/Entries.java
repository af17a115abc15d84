package dev.substrat.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.Entry;
import java.util.List;

/// Values as they were given: words as words, everything else as JSON.
final class Entries {
  private Entries() {}

  /// All of them, whole: somebody decides by them.
  static List<Entry> of(JsonNode object) {
    return of(object, Integer.MAX_VALUE);
  }

  /// The same, each not longer than `most` characters.
  static List<Entry> of(JsonNode object, int most) {
    return object.propertyStream().map(one -> entry(one.getKey(), one.getValue(), most)).toList();
  }

  private static Entry entry(String name, JsonNode value, int most) {
    boolean isCode = value.isContainerNode();
    String text = isCode ? value.toPrettyString() : value.asText();
    return new Entry(name, text.length() <= most ? text : text.substring(0, most) + " …", isCode);
  }
}
