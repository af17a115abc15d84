package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import java.util.List;
import java.util.Optional;

/// Parser for a `SKILL.md` file: YAML front matter and a text.
final class SkillMarkdownParser {
  private static final String DASHES = "---";

  /// Keys of agent configurations, which may also be pasted.
  private static final List<String> AGENTS = List.of("systemPrompt", "provider", "skills");

  private SkillMarkdownParser() {}

  /// Configuration with this skill; empty if the text is not a `SKILL.md`.
  static Optional<ObjectNode> agent(String text) {
    List<String> lines = text.strip().lines().toList();
    int end = lines.subList(Math.min(1, lines.size()), lines.size()).indexOf(DASHES) + 1;
    if (end == 0 || !lines.getFirst().stripTrailing().equals(DASHES)) {
      return Optional.empty();
    }
    String body = String.join("\n", lines.subList(end + 1, lines.size())).strip();
    // An empty first line replaces the dashes, so that line numbers in errors are correct.
    JsonNode head = Yaml.parse("\n" + String.join("\n", lines.subList(1, end)) + "\n");
    return body.isEmpty() || !head.hasNonNull("name") || AGENTS.stream().anyMatch(head::has)
        ? Optional.empty()
        : Optional.of(agent(head, body));
  }

  private static ObjectNode agent(JsonNode head, String body) {
    // `./substrat agent export` adds these, because the format has no keys for them.
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
