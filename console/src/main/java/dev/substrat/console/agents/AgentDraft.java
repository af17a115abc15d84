package dev.substrat.console.agents;

import java.util.List;
import java.util.Map;

/// An agent as somebody fills it in, before anybody has checked it: everything is as it was typed.
///
/// `settings`, `tools` and `servers` are YAML or JSON. `limits` are numbers by their names. `base`
/// is the mark of the configuration it started from, or empty: who saves must have seen what they
/// replace.
public record AgentDraft(
    String name,
    String handle,
    String description,
    String role,
    String parent,
    String systemPrompt,
    String provider,
    String model,
    String settings,
    List<String> toolsets,
    List<SkillDraft> skills,
    List<CategoryDraft> categories,
    String tools,
    String servers,
    Map<String, String> limits,
    String base) {

  /// A skill. `key` tells it from the others while it has no name yet, `was` is the name it had
  /// when somebody began to edit, empty for a new one. `requires` are names of others, with commas.
  public record SkillDraft(
      String key,
      String name,
      String text,
      String category,
      boolean isOn,
      String was,
      String requires) {

    public static SkillDraft fresh(String key) {
      return new SkillDraft(key, "", "", "", true, "", "");
    }

    /// A row that somebody has added, and not touched since. One that was a skill is none: it is
    /// removed with its button, not by emptying it.
    public boolean isBlank() {
      return was.isEmpty()
          && name.isEmpty()
          && text.isBlank()
          && category.isEmpty()
          && requires.isEmpty();
    }

    /// What a button does to it, with its name if it has one.
    public String act(String words) {
      return name.isEmpty() ? words : words + ": " + name;
    }
  }

  /// A category. `isMade` if nobody has typed it, only a skill has named it.
  public record CategoryDraft(String key, String name, String colour, boolean isMade) {}

  /// The colour of a category; plain if nobody has chosen one.
  public String colour(String category) {
    return categories.stream()
        .filter(one -> one.name().equals(category))
        .map(CategoryDraft::colour)
        .findFirst()
        .orElse("stone");
  }

  public boolean has(String toolset) {
    return toolsets.contains(toolset);
  }
}
