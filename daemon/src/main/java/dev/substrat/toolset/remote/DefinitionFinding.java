package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.protocol.HiddenCharacters.TextPart;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A suspicious part of a remote tool's definition, for a person to check. `pointer` is its place,
/// `kind` is `hidden-characters` or `instruction`, and `text` describes it, with hidden characters
/// escaped.
public record DefinitionFinding(String pointer, String kind, String text) {
  /// More would not change a person's decision.
  private static final int MAX_COUNT = 20;

  private static final int MAX_CHARACTERS = 8;

  /// All suspicious parts of a definition: in its texts and in the names of properties.
  static List<DefinitionFinding> in(ToolDefinition definition) {
    var found = new ArrayList<DefinitionFinding>();
    visit("", definition.json(), found);
    return found.stream().distinct().limit(MAX_COUNT).toList();
  }

  private static void visit(String pointer, JsonNode value, List<DefinitionFinding> found) {
    if (found.size() >= MAX_COUNT) {
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
    List<TextPart> parts = HiddenCharacters.parts(text);
    List<TextPart> hidden = parts.stream().filter(TextPart::isHidden).toList();
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

  private static String hidden(List<TextPart> hidden) {
    String characters =
        hidden.stream()
            .map(TextPart::shown)
            .distinct()
            .limit(MAX_CHARACTERS)
            .collect(Collectors.joining(" "));
    return "%d hidden %s: %s"
        .formatted(hidden.size(), hidden.size() == 1 ? "character" : "characters", characters);
  }

  /// The text as a model reads it: without hidden characters inside words, full-width letters and
  /// unusual spaces.
  private static String readable(List<TextPart> parts) {
    String visible =
        parts.stream()
            .filter(part -> !part.isHidden())
            .map(TextPart::text)
            .collect(Collectors.joining());
    return Normalizer.normalize(visible, Normalizer.Form.NFKC).replaceAll("\\s+", " ");
  }

  /// Phrases that make the definition of a tool suspicious: they address the model instead of
  /// describing the tool. The list is in `docs/remote-servers.md`, too.
  ///
  /// A definition with such a phrase is not rejected: a person decides. A phrase that an honest
  /// server might use costs one approval, so the list can be strict. A definition without them is
  /// not proven harmless.
  enum SuspiciousPhrase {
    IGNORE_INSTRUCTIONS(
        "asks the model to ignore its instructions",
        "ignore previous instructions",
        "\\b(ignore|disregard|forget|override)\\b.{0,30}"
            + "\\b(previous|prior|above|earlier|preceding|all|any|other|your|system)\\b.{0,20}"
            + "\\b(instructions?|rules|prompts?|guidelines)\\b"),
    HIDE_FROM_PEOPLE(
        "asks the model to hide something from people",
        "do not tell the user",
        "\\b(do not|don[’']?t|never|without)\\b.{0,15}"
            + "\\b(tell|inform|mention|show|notify|reveal|alert|telling|informing|mentioning|notifying)"
            + "\\b.{0,25}\\b(user|users|human|humans|person|people|operator|anyone|anybody)\\b"),
    MARKUP(
        "contains markup that models read as instructions",
        "<IMPORTANT>",
        "<\\s*/?\\s*(important|system|secret|hidden|instructions?|admin|override)\\s*>"
            + "|\\[/?inst\\]|<\\|\\w+\\|>"),
    SYSTEM_PROMPT("mentions the system prompt", "system prompt", "\\bsystem prompts?\\b"),
    NEW_ROLE(
        "gives the model a new role or new instructions",
        "you are now",
        "\\byou are now\\b|\\bnew (system )?instructions?\\s*:"),
    SECRET_FILES(
        "names files that contain secrets",
        "read ~/.ssh",
        "(~|\\$home|\\$\\{home\\}|/root|/home/[^/\\s]+)/\\.(ssh|aws|gnupg|kube|docker|netrc|npmrc|pgpass)\\b"
            + "|\\bid_(rsa|ed25519|ecdsa)\\b|/etc/shadow\\b|\\.cursor/mcp\\.json"
            + "|claude_desktop_config"),
    SEND_CONVERSATION(
        "asks for the conversation or other private data",
        "send the conversation history",
        "\\b(send|forward|upload|copy|include|pass|transmit|attach)\\b.{0,40}"
            + "\\b(conversation|chat) (history|log)\\b|\\bexfiltrat");

    private final String meaning;
    private final String example;
    private final Pattern pattern;

    SuspiciousPhrase(String meaning, String example, String pattern) {
      this.meaning = meaning;
      this.example = example;
      this.pattern = Pattern.compile(pattern, Pattern.CASE_INSENSITIVE);
    }

    /// What such a definition does, for people.
    String meaning() {
      return meaning;
    }

    /// An example phrase, for the documentation.
    String example() {
      return example;
    }

    Pattern pattern() {
      return pattern;
    }
  }
}
