package dev.substrat.turn.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One place in which two JSON values differ; a value that is not there is missing.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JsonDifference(String pointer, @Nullable JsonNode recorded, @Nullable JsonNode now) {

  /// All of them, the recorded value's order first.
  static List<JsonDifference> between(JsonNode recorded, JsonNode now) {
    var found = new ArrayList<JsonDifference>();
    compare("", recorded, now, found);
    return List.copyOf(found);
  }

  private static void compare(
      String pointer, JsonNode recorded, JsonNode now, List<JsonDifference> found) {
    if (recorded.equals(now)) {
      return;
    }
    if (recorded.isObject() && now.isObject()) {
      var keys = new LinkedHashSet<String>();
      recorded.fieldNames().forEachRemaining(keys::add);
      now.fieldNames().forEachRemaining(keys::add);
      keys.forEach(
          key -> compare(pointer + "/" + escaped(key), recorded.path(key), now.path(key), found));
    } else if (recorded.isArray() && now.isArray()) {
      for (int i = 0; i < Math.max(recorded.size(), now.size()); i++) {
        compare(pointer + "/" + i, recorded.path(i), now.path(i), found);
      }
    } else {
      found.add(new JsonDifference(pointer, present(recorded), present(now)));
    }
  }

  private static String escaped(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  private static @Nullable JsonNode present(JsonNode node) {
    return node instanceof MissingNode ? null : node;
  }
}
