package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Request body from which parts can be removed. Maps pointers of the rest to the original body.
///
/// Removing a list entry shifts the following entries. Methods take pointers of the original body;
/// [#inWhole] translates pointers of the rest.
final class PartialBody {
  private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

  private final ObjectNode rest;

  /// The original indexes of the remaining entries, by the pointer of their list.
  private final Map<String, List<Integer>> left = new HashMap<>();

  PartialBody(ObjectNode whole) {
    this.rest = whole.deepCopy();
  }

  ObjectNode rest() {
    return rest;
  }

  String inWhole(String pointer) {
    var place = new StringBuilder();
    JsonNode node = rest;
    for (String key : keys(pointer)) {
      if (node.isArray() && INDEX.matcher(key).matches()) {
        int index = Integer.parseInt(key);
        List<Integer> indexes = left.get(place.toString());
        int original = indexes != null && index < indexes.size() ? indexes.get(index) : index;
        place.append('/').append(original);
        node = node.path(index);
      } else {
        place.append('/').append(key);
        node = node.path(plain(key));
      }
    }
    return place.toString();
  }

  /// Removes the value at the pointer, or its nearest existing ancestor; false if that is the root.
  boolean remove(String pointer) {
    String place = pointer;
    while (!place.isEmpty()) {
      String above = above(place);
      String key = place.substring(above.length() + 1);
      boolean isRemoved =
          switch (find(above)) {
            case ObjectNode object -> object.remove(plain(key)) != null;
            case ArrayNode list when INDEX.matcher(key).matches() ->
                removeEntry(list, above, Integer.parseInt(key));
            default -> false;
          };
      if (isRemoved) {
        return true;
      }
      place = above;
    }
    return false;
  }

  private boolean removeEntry(ArrayNode list, String pointer, int original) {
    List<Integer> indexes =
        left.computeIfAbsent(
            pointer,
            _ ->
                IntStream.range(0, list.size())
                    .boxed()
                    .collect(Collectors.toCollection(ArrayList::new)));
    int index = indexes.indexOf(original);
    if (index < 0) {
      return false;
    }
    indexes.remove(/* index */ index);
    list.remove(index);
    return true;
  }

  private JsonNode find(String pointer) {
    var place = new StringBuilder();
    JsonNode node = rest;
    for (String key : keys(pointer)) {
      if (node.isArray()) {
        int index = INDEX.matcher(key).matches() ? Integer.parseInt(key) : -1;
        List<Integer> indexes = left.get(place.toString());
        int here = indexes == null ? index : indexes.indexOf(index);
        node = here < 0 ? MissingNode.getInstance() : node.path(here);
      } else {
        node = node.path(plain(key));
      }
      place.append('/').append(key);
    }
    return node;
  }

  private static List<String> keys(String pointer) {
    return pointer.isEmpty() ? List.of() : List.of(pointer.substring(1).split("/", -1));
  }

  static String above(String pointer) {
    return pointer.isEmpty() ? "" : pointer.substring(0, pointer.lastIndexOf('/'));
  }

  private static String plain(String key) {
    return key.replace("~1", "/").replace("~0", "~");
  }
}
