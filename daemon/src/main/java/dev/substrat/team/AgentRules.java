package dev.substrat.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Validation of an agent's configuration beyond its JSON schema.
final class AgentRules {
  private static final int LONGEST_NAME = 80;
  private static final Set<String> ROLES = Set.of("worker", "reviewer");

  private AgentRules() {}

  static void require(AgentConfig config) {
    requireName(config.name());
    requireHandle(config.handle());
    if (config.role() != null && !ROLES.contains(config.role())) {
      throw invalid("/role must be worker or reviewer, not \"" + config.role() + "\"", "");
    }
    List<String> toolsets = config.toolsets() == null ? List.of() : config.toolsets();
    for (String toolset : toolsets) {
      List<String> known = ToolsetName.words();
      if (!known.contains(toolset)) {
        throw invalid(
            "unknown toolset \"" + toolset + "\"",
            SpellingSuggestion.suggestion(toolset, known)
                + "use one of: "
                + String.join(", ", known));
      }
    }
    SkillRules.require(config.skillsOrNone());
    ContextRefRules.require(config.contextRefsOrNone());
    requireCategories(config.categoriesOrNone());
    config.workspaceOrDefault().require(config.parent() != null);
  }

  private static void requireCategories(List<SkillCategory> categories) {
    for (int i = 0; i < categories.size(); i++) {
      SkillCategory category = categories.get(i);
      if (!isOneLine(category.name())) {
        throw invalid(
            "/categories/%d/name must have 1 to %d characters on one line"
                .formatted(i, LONGEST_NAME),
            "choose a short word");
      }
      String colour = category.colour();
      if (colour != null && !SkillCategory.COLOURS.contains(colour)) {
        throw invalid(
            "/categories/%d/colour cannot be \"%s\"".formatted(i, colour),
            "use one of: " + String.join(", ", SkillCategory.COLOURS));
      }
    }
  }

  private static boolean isOneLine(String name) {
    return !name.isBlank()
        && name.length() <= LONGEST_NAME
        && name.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u2029' || c == '\u0085');
  }

  private static void requireName(String name) {
    if (name.isBlank() || name.length() > LONGEST_NAME || name.chars().anyMatch(c -> c < ' ')) {
      throw invalid(
          "/name must have 1 to " + LONGEST_NAME + " characters on one line",
          "choose what teammates should call it");
    }
  }

  private static void requireHandle(@Nullable String handle) {
    if (handle != null && !Handle.isValid(handle)) {
      throw invalid(
          "/handle \"" + handle + "\" cannot be a handle",
          "use lower-case letters, digits and single dashes, at most " + Handle.LONGEST);
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint.isEmpty() ? "correct it" : hint);
  }
}
