package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import java.util.List;

/// Validation of text that cannot be stored and read back unchanged: PostgreSQL does not store NUL,
/// and an unpaired surrogate has no UTF-8 encoding.
public final class StorableText {
  /// Unicode's own mark for what could not be read.
  private static final int MARK = 0xFFFD;

  private StorableText() {}

  /// Whether every character of `text` can be stored.
  public static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  /// The same text with invalid characters replaced: for foreign text that must be stored.
  public static String sanitize(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .map(c ->
            c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? MARK : c)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  /// The same tree with invalid characters replaced in texts and keys. Unchanged parts stay the
  /// same objects.
  static JsonNode sanitize(JsonNode node) {
    return isStorable(node) ? node : marked(node);
  }

  private static boolean isStorable(JsonNode node) {
    if (node.isTextual()) {
      return isStorable(node.textValue());
    }
    if (!node.isContainerNode()) {
      return true;
    }
    for (var property : node.properties()) {
      if (!isStorable(property.getKey())) {
        return false;
      }
    }
    for (JsonNode child : node) {
      if (!isStorable(child)) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode marked(JsonNode node) {
    if (node.isTextual()) {
      return isStorable(node.textValue()) ? node : new TextNode(sanitize(node.textValue()));
    }
    if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, marked(array.get(i)));
      }
      return array;
    }
    if (node instanceof ObjectNode object) {
      for (var property : List.copyOf(object.properties())) {
        String key = property.getKey();
        JsonNode value = marked(property.getValue());
        if (!isStorable(key)) {
          object.remove(key);
        }
        object.set(sanitize(key), value);
      }
    }
    return node;
  }

  /// Checks every text and every key in `tree`. The pointer of a wrong one is found in a second
  /// pass, because the pointers of all values together can be much larger than the tree.
  static void require(JsonNode tree) {
    if (!isStorable(tree)) {
      require(tree, "");
    }
  }

  private static void require(JsonNode node, String pointer) {
    if (node.isTextual() && !isStorable(node.textValue())) {
      throw refusal(pointer);
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      require(node.get(i), pointer + "/" + i);
    }
    for (var property : node.properties()) {
      if (!isStorable(property.getKey())) {
        throw refusal(pointer);
      }
      require(property.getValue(), pointer + "/" + property.getKey());
    }
  }

  private static Fault refusal(String pointer) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        (pointer.isEmpty() ? "the value" : pointer) + " contains invalid characters",
        "remove U+0000 and unpaired surrogates",
        List.of(new Problem.ProblemDetail(pointer, "contains invalid characters")));
  }
}
