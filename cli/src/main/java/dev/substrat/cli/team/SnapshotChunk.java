package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.util.ArrayList;
import java.util.List;

/// A part of an agent's memory, goals and plans that fits into one request. It has the entries of
/// `list` from `offset` on; the first part has everything except the long lists.
record SnapshotChunk(String list, int offset, ObjectNode body) {
  /// Below the daemon's limit of 4 MiB.
  private static final int MAX_CHARACTERS = 500_000;

  private static final int MAX_ENTRIES = 500;

  static List<SnapshotChunk> of(ObjectNode snapshot) {
    var chunks = new ArrayList<SnapshotChunk>();
    ObjectNode first = snapshot.deepCopy();
    if (first.path("memory") instanceof ObjectNode memory) {
      for (String list : List.of("passages", "brain")) {
        if (memory.path(list) instanceof ArrayNode entries && isLong(entries)) {
          memory.remove(list);
          split(list, entries, chunks);
        }
      }
    }
    if (chunks.isEmpty() || first.size() > 1 || !first.path("memory").isEmpty()) {
      chunks.addFirst(new SnapshotChunk("", 0, first));
    }
    return chunks;
  }

  private static boolean isLong(ArrayNode entries) {
    return entries.size() > MAX_ENTRIES
        || entries.valueStream().mapToInt(SnapshotChunk::size).sum() > MAX_CHARACTERS;
  }

  private static int size(JsonNode entry) {
    return entry.path("content").asText().length();
  }

  private static void split(String list, ArrayNode entries, List<SnapshotChunk> chunks) {
    int offset = 0;
    while (offset < entries.size()) {
      var body = JsonTree.object();
      ArrayNode part = body.withObjectProperty("memory").withArrayProperty(list);
      int characters = 0;
      for (int i = offset; i < entries.size(); i++) {
        characters += size(entries.get(i));
        boolean isFull = characters > MAX_CHARACTERS || part.size() >= MAX_ENTRIES;
        if (isFull && !part.isEmpty() && !isSame(entries.get(i - 1), entries.get(i))) {
          break;
        }
        part.add(entries.get(i));
      }
      chunks.add(new SnapshotChunk(list, offset, body));
      offset += part.size();
    }
  }

  /// The daemon counts equal entries per request, so they stay together.
  private static boolean isSame(JsonNode one, JsonNode next) {
    return SnapshotPlanner.text(one).equals(SnapshotPlanner.text(next));
  }

  /// Translates a pointer in this part to the whole.
  String inWhole(String pointer) {
    String prefix = "/memory/" + list + "/";
    if (list.isEmpty() || !pointer.startsWith(prefix)) {
      return pointer;
    }
    String[] parts = pointer.substring(prefix.length()).split("/", 2);
    String rest = parts.length == 1 ? "" : "/" + parts[1];
    return prefix + (Integer.parseInt(parts[0]) + offset) + rest;
  }
}
