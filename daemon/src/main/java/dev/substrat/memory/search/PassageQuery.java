package dev.substrat.memory.search;

import dev.substrat.platform.identity.AgentId;
import java.util.List;

/// Search parameters: passages of `agent` that match `text` and have all `tags`. Without a text,
/// all passages, newest first.
public record PassageQuery(AgentId agent, String text, List<String> tags, int limit) {

  /// Tags are the same whatever their case.
  boolean hasAllTags(List<String> ofPassage) {
    if (tags.isEmpty()) {
      return true;
    }
    var has = ofPassage.stream().map(CaseFolding::of).toList();
    return tags.stream().map(CaseFolding::of).allMatch(has::contains);
  }
}
