package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.protocol.HiddenCharacters.Part;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/// A suspicious part of a remote tool's definition, for a person to check. `pointer` is its place,
/// `kind` is `hidden-characters` or `instruction`, and `text` describes it, with hidden characters
/// escaped.
public record DefinitionFinding(String pointer, String kind, String text) {
  /// More would not change a person's decision.
  private static final int MOST = 20;

  private static final int MOST_CHARACTERS = 8;

  /// All suspicious parts of a definition: in its texts and in the names of properties.
  static List<DefinitionFinding> in(ToolDefinition definition) {
    var found = new ArrayList<DefinitionFinding>();
    visit("", definition.json(), found);
    return found.stream().distinct().limit(MOST).toList();
  }

  private static void visit(String pointer, JsonNode value, List<DefinitionFinding> found) {
    if (found.size() >= MOST) {
      return;
    }
    if (value.isTextual()) {
      check(pointer, value.textValue(), found);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        visit(pointer + "/" + i, value.path(i), found);
      }
    } else {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        String key = HiddenCharacters.escape(entry.getKey());
        check(pointer + "/" + key, entry.getKey(), found);
        visit(pointer + "/" + key, entry.getValue(), found);
      }
    }
  }

  private static void check(String pointer, String text, List<DefinitionFinding> found) {
    List<Part> parts = HiddenCharacters.parts(text);
    List<Part> hidden = parts.stream().filter(Part::isHidden).toList();
    if (!hidden.isEmpty()) {
      found.add(new DefinitionFinding(pointer, "hidden-characters", hidden(hidden)));
    }
    String read = readable(parts);
    for (SuspiciousPhrase phrase : SuspiciousPhrase.values()) {
      Matcher matcher = phrase.pattern().matcher(read);
      if (matcher.find()) {
        String words = "%s: \"%s\"".formatted(phrase.meaning(), matcher.group().strip());
        found.add(new DefinitionFinding(pointer, "instruction", words));
      }
    }
  }

  private static String hidden(List<Part> hidden) {
    String characters =
        hidden.stream()
            .map(Part::shown)
            .distinct()
            .limit(MOST_CHARACTERS)
            .collect(Collectors.joining(" "));
    return "%d hidden %s: %s"
        .formatted(hidden.size(), hidden.size() == 1 ? "character" : "characters", characters);
  }

  /// The text as a model reads it: without hidden characters inside words, full-width letters and
  /// unusual spaces.
  private static String readable(List<Part> parts) {
    String visible =
        parts.stream()
            .filter(part -> !part.isHidden())
            .map(Part::text)
            .collect(Collectors.joining());
    return Normalizer.normalize(visible, Normalizer.Form.NFKC).replaceAll("\\s+", " ");
  }
}
