package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Compares a response with an expectation of a transcript: `*` matches anything, also within a
/// text; the key `*` matches further keys; `*` at the end of a list matches further items anywhere
/// in it. `$word` stores the value at its first occurrence and requires an equal one later.
final class TranscriptMatcher {
  private static final Pattern WORD = Pattern.compile("\\$(\\w+)");

  private final Map<String, String> kept = new HashMap<>();

  void keep(String word, String text) {
    kept.put(word, text);
  }

  /// The text with known values inserted.
  String fill(String text) {
    Matcher words = WORD.matcher(text);
    return words.replaceAll(
        word -> Matcher.quoteReplacement(kept.getOrDefault(word.group(1), word.group())));
  }

  /// The first difference, or empty.
  String difference(String expected, String actual) {
    String filled = fill(expected);
    return filled.startsWith("{") || filled.startsWith("[")
        ? difference(Json.own(filled), Json.own(actual), "")
        : texts(filled, actual, "");
  }

  private String difference(JsonNode expected, JsonNode actual, String at) {
    if (expected.isTextual() && (actual.isValueNode() || expected.textValue().equals("*"))) {
      boolean isSame = actual.isTextual() || WORD.matcher(expected.textValue()).matches();
      return isSame || expected.textValue().equals("*")
          ? texts(expected.textValue(), actual.asText(), at)
          : at + " is no text: " + actual;
    }
    if (expected.isObject() && actual.isObject()) {
      return objects(expected, actual, at);
    }
    if (expected.isArray() && actual.isArray()) {
      return lists(expected, actual, at);
    }
    return expected.equals(actual) ? "" : at + " is " + actual + ", not " + expected;
  }

  private String texts(String expected, String actual, String at) {
    Matcher word = WORD.matcher(expected);
    if (word.matches()) {
      kept.put(word.group(1), actual);
      return "";
    }
    String parts = Pattern.quote(expected).replace("*", "\\E.*\\Q");
    return Pattern.compile(parts, Pattern.DOTALL).matcher(actual).matches()
        ? ""
        : at + " is \"" + actual + "\", not \"" + expected + "\"";
  }

  private String objects(JsonNode expected, JsonNode actual, String at) {
    for (var one : expected.properties()) {
      String there = at + "/" + one.getKey();
      if (!one.getKey().equals("*")) {
        String difference =
            actual.has(one.getKey())
                ? difference(one.getValue(), actual.path(one.getKey()), there)
                : there + " is missing in " + actual;
        if (!difference.isEmpty()) {
          return difference;
        }
      }
    }
    for (var one : actual.properties()) {
      if (!expected.has("*") && !expected.has(one.getKey())) {
        return at + "/" + one.getKey() + " should not be there: " + one.getValue();
      }
    }
    return "";
  }

  private String lists(JsonNode expected, JsonNode actual, String at) {
    boolean isOpen = !expected.isEmpty() && expected.get(expected.size() - 1).asText().equals("*");
    int wanted = isOpen ? expected.size() - 1 : expected.size();
    if (!isOpen && wanted != actual.size()) {
      return at + " has " + actual.size() + " items, not " + wanted + ": " + actual;
    }
    int next = 0;
    for (int i = 0; i < wanted; i++) {
      String difference = at + "/" + i + " is not in the list: " + expected.get(i);
      boolean isFound = false;
      while (!isFound && next < actual.size() && (isOpen || next == i)) {
        difference = difference(expected.get(i), actual.get(next), at + "/" + next);
        isFound = difference.isEmpty();
        next++;
      }
      if (!isFound) {
        return difference;
      }
    }
    return "";
  }
}
