package dev.substrat.search;

import dev.substrat.id.AgentId;
import java.util.List;

/// What is looked for: among `agent`'s own passages and no others, those that `text` speaks of and
/// that have all of `tags`. Without a text, all of them, the newest first.
public record PassageQuery(AgentId agent, String text, List<String> tags, int limit) {

  /// Tags are the same whatever their case.
  public boolean admits(Passage passage) {
    var has = passage.tags().stream().map(Folding::of).toList();
    return tags.stream().map(Folding::of).allMatch(has::contains);
  }
}
