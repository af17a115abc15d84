package dev.substrat.memory.search;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.ResultRow;
import java.time.Instant;
import java.util.List;

/// A text that an agent has stored to find later.
public record Passage(String id, String content, List<String> tags, Instant createdAt) {

  /// From a row of the table `memory`.
  public static Passage from(ResultRow row) {
    return new Passage(row.text("id"), row.text("content"), tags(row), row.instant("created_at"));
  }

  static List<String> tags(ResultRow row) {
    return Json.own(row.text("tags")).valueStream().map(JsonNode::asText).toList();
  }
}
