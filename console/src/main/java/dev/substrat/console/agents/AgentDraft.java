package dev.substrat.console.agents;

import java.util.List;
import java.util.Map;

/// Input of the agent builder, not yet validated.
///
/// `settings`, `tools` and `servers` are YAML or JSON. `limits` are numbers by name. `base` is the
/// hash of the edited configuration, or empty: saving fails if the configuration changed meanwhile.
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

  /// A skill. `key` identifies the row in the form, `was` is the name before editing, empty for a
  /// new skill. `requires` are names of other skills, separated by commas.
  public record SkillDraft(
      String key,
      String name,
      String text,
      String category,
      boolean isOn,
      String previousName,
      String requires) {

    public static SkillDraft fresh(String key) {
      return new SkillDraft(key, "", "", "", true, "", "");
    }

    /// Whether the row is new and empty. An existing skill is removed with its button, not by
    /// emptying its row.
    public boolean isBlank() {
      return previousName.isEmpty()
          && name.isEmpty()
          && text.isBlank()
          && category.isEmpty()
          && requires.isEmpty();
    }

    /// Label of a button of the row, with the skill name if there is one.
    public String act(String words) {
      return name.isEmpty() ? words : words + ": " + name;
    }
  }

  /// A category. `isMade` if it was created automatically because a skill names it.
  public record CategoryDraft(String key, String name, String colour, boolean isAutomatic) {}

  /// Colour of a category; the default if none is set.
  public String colour(String category) {
    return categories.stream()
        .filter(one -> one.name().equals(category))
        .map(CategoryDraft::colour)
        .findFirst()
        .orElse("stone");
  }

  public boolean hasToolset(String toolset) {
    return toolsets.contains(toolset);
  }
}
