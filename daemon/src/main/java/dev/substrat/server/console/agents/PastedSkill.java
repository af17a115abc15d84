package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import java.util.List;
import java.util.Optional;

/// A skill as other programs keep it, a `SKILL.md`: a head of YAML between two lines of dashes, and
/// a text below it.
final class PastedSkill {
  private static final String DASHES = "---";

  /// Keys of agents, of which two may have been pasted.
  private static final List<String> AGENTS = List.of("systemPrompt", "provider", "skills");

  private PastedSkill() {}

  /// An agent that has this skill and nothing else yet; nothing if the text is something else.
  static Optional<ObjectNode> agent(String text) {
    List<String> lines = text.strip().lines().toList();
    int end = lines.subList(Math.min(1, lines.size()), lines.size()).indexOf(DASHES) + 1;
    if (end == 0 || !lines.getFirst().stripTrailing().equals(DASHES)) {
      return Optional.empty();
    }
    String body = String.join("\n", lines.subList(end + 1, lines.size())).strip();
    // An empty first line instead of the dashes: what is wrong is then where it is said to be.
    JsonNode head = Yaml.parse("\n" + String.join("\n", lines.subList(1, end)) + "\n");
    return body.isEmpty() || !head.hasNonNull("name") || AGENTS.stream().anyMatch(head::has)
        ? Optional.empty()
        : Optional.of(agent(head, body));
  }

  private static ObjectNode agent(JsonNode head, String body) {
    // What `./substrat agent export` adds, because the format has no key for it.
    JsonNode ours = head.path("metadata");
    String about = head.path("description").asText("").strip();
    ObjectNode agent = Json.object().put("name", "");
    ObjectNode skill =
        agent
            .putArray("skills")
            .addObject()
            .put("name", ours.path("substrat-name").asText(head.path("name").asText()))
            .put("description", about.isEmpty() ? body : about + "\n\n" + body);
    if (ours.hasNonNull("substrat-category")) {
      skill.put("category", ours.path("substrat-category").asText());
    }
    return agent;
  }
}
