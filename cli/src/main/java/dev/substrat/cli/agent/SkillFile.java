package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// A skill in `SKILL.md` format: YAML front matter and a text.
///
/// `passedOver` lists front matter keys that are ignored.
record SkillFile(ObjectNode skill, List<String> passedOver) {
  private static final Set<String> KNOWN = Set.of("name", "description", "metadata");

  /// Metadata keys of Substrat, which the format itself does not define.
  private static final String NAME = "substrat-name";

  private static final String ID = "substrat-id";
  private static final String CATEGORY = "substrat-category";
  private static final String ENABLED = "substrat-enabled";
  private static final String REQUIRES = "substrat-requires";
  private static final Set<String> OURS = Set.of(NAME, ID, CATEGORY, ENABLED, REQUIRES);

  static SkillFile parse(String source, byte[] bytes) {
    String all = new String(bytes, StandardCharsets.UTF_8).replace("\r\n", "\n");
    List<String> lines =
        Arrays.asList((all.startsWith("\ufeff") ? all.substring(1) : all).split("\n", -1));
    int end = end(source, lines);
    // An empty first line replaces the dashes, so that line numbers in errors are right.
    String head = "\n" + String.join("\n", lines.subList(1, end)) + "\n";
    ObjectNode keys = ConfigFile.parse(source, head.getBytes(StandardCharsets.UTF_8));
    String body = String.join("\n", lines.subList(end + 1, lines.size()));
    return new SkillFile(skill(source, keys, body), passedOver(keys));
  }

  private static int end(String source, List<String> lines) {
    if (lines.getFirst().stripTrailing().equals("---")) {
      for (int i = 1; i < lines.size(); i++) {
        if (lines.get(i).stripTrailing().equals("---")) {
          return i;
        }
      }
    }
    throw ErrorCode.INVALID_CONFIG.fault(
        source + " has no front matter",
        "begin the file with a line ---, then name: and description:, then another line ---, then"
            + " the text");
  }

  private static ObjectNode skill(String source, ObjectNode keys, String body) {
    JsonNode ours = keys.path("metadata");
    String name = ours.path(NAME).asText(keys.path("name").asText("")).strip();
    if (name.isEmpty()) {
      throw ErrorCode.INVALID_CONFIG.fault(
          source + " has no name", "add name: to its front matter");
    }
    var skill = JsonTree.object();
    if (ours.hasNonNull(ID)) {
      skill.put("id", ours.path(ID).asText());
    }
    skill.put("name", name);
    String text = SkillText.joined(name, keys.path("description").asText("").strip(), body);
    if (!text.isEmpty()) {
      skill.put("description", text);
    }
    if (ours.hasNonNull(CATEGORY)) {
      skill.put("category", ours.path(CATEGORY).asText());
    }
    if (ours.path(ENABLED).asText("true").equals("false")) {
      skill.put("enabled", false);
    }
    if (ours.path(REQUIRES).isArray()) {
      skill.set("requires", ours.path(REQUIRES));
    }
    return skill;
  }

  private static List<String> passedOver(ObjectNode keys) {
    var names = new ArrayList<String>();
    keys.fieldNames().forEachRemaining(names::add);
    names.removeAll(KNOWN);
    keys.path("metadata")
        .fieldNames()
        .forEachRemaining(key -> {
          if (!OURS.contains(key)) {
            names.add("metadata." + key);
          }
        });
    return List.copyOf(names);
  }

  /// Content of SKILL.md for a skill in a folder with this name.
  static String text(JsonNode skill, String folder) {
    String name = skill.path("name").asText();
    SkillText parts = SkillText.of(name, skill.path("description").asText(""));
    var head = JsonTree.object().put("name", folder).put("description", parts.summary());
    var ours = JsonTree.object();
    if (!name.equals(folder)) {
      ours.put(NAME, name);
    }
    if (skill.hasNonNull("id")) {
      ours.put(ID, skill.path("id").asText());
    }
    if (skill.hasNonNull("category")) {
      ours.put(CATEGORY, skill.path("category").asText());
    }
    if (!skill.path("enabled").asBoolean(true)) {
      ours.put(ENABLED, "false");
    }
    if (!skill.path("requires").isEmpty()) {
      ours.set(REQUIRES, skill.path("requires"));
    }
    if (!ours.isEmpty()) {
      head.set("metadata", ours);
    }
    String body = parts.body().isEmpty() ? "" : "\n" + parts.body() + "\n";
    return "---\n" + ConfigYaml.text(head) + "---\n" + body;
  }

  /// Text of a skill, split into the two parts of a `SKILL.md`: a short description, never empty,
  /// and the body. [#joined] restores the original text.
  private record SkillText(String summary, String body) {
    private static final int LONGEST_SUMMARY = 1_024;

    /// End of a shortened summary; the body then has the whole text.
    private static final String CUT = "…";

    static SkillText of(String name, String description) {
      String text = description.replace("\r\n", "\n").strip();
      if (text.isEmpty()) {
        return new SkillText(name, "");
      }
      int end = text.indexOf("\n\n");
      String first = end < 0 ? text : text.substring(0, end);
      String rest = end < 0 ? "" : text.substring(end + 2);
      boolean isWhole =
          first.length() <= LONGEST_SUMMARY
              && first.strip().equals(first)
              && joined(name, first, rest).equals(text);
      return isWhole ? new SkillText(first, rest) : new SkillText(cut(first), text);
    }

    private static String cut(String text) {
      String line = text.lines().findFirst().orElse("");
      int limit = LONGEST_SUMMARY - CUT.length();
      return (line.length() <= limit
                  ? line
                  : line.substring(0, line.offsetByCodePoints(0, limit / 2)))
              .stripTrailing()
          + CUT;
    }

    static String joined(String name, String summary, String body) {
      String rest = body.replaceAll("^\\n+", "").stripTrailing();
      if (rest.isEmpty()) {
        return summary.equals(name) ? "" : summary;
      }
      boolean isCut =
          summary.endsWith(CUT)
              && rest.startsWith(summary.substring(0, summary.length() - CUT.length()));
      return summary.isEmpty() || isCut ? rest : summary + "\n\n" + rest;
    }
  }
}
