package dev.substrat.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import dev.substrat.protocol.SpellingSuggestion;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation of an agent's configuration beyond its JSON schema.
final class AgentRules {
  private static final int MAX_NAME_LENGTH = 80;
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
                .formatted(i, MAX_NAME_LENGTH),
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
        && name.length() <= MAX_NAME_LENGTH
        && name.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u2029' || c == '\u0085');
  }

  private static void requireName(String name) {
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(c -> c < ' ')) {
      throw invalid(
          "/name must have 1 to " + MAX_NAME_LENGTH + " characters on one line",
          "choose a name that agents and people should see");
    }
  }

  private static void requireHandle(@Nullable String handle) {
    if (handle != null && !Handle.isValid(handle)) {
      throw invalid(
          "/handle \"" + handle + "\" cannot be a handle",
          "use lower-case letters, digits and single dashes, at most " + Handle.MAX_LENGTH);
    }
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint.isEmpty() ? "correct it" : hint);
  }

  /// Validation of an agent's context references: paths or http(s) URLs. The daemon does not open
  /// them; an external chat that becomes the agent does.
  private static final class ContextRefRules {
    private static final int MOST = 50;
    private static final int LONGEST = 2_000;

    /// A single letter before a colon is a drive, not a scheme.
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

    private ContextRefRules() {}

    static void require(List<String> references) {
      if (references.size() > MOST) {
        throw invalid(
            "/contextRefs has more than " + MOST + " entries",
            "refer to a directory, or to a page that links to other pages");
      }
      var seen = new HashSet<String>();
      for (int i = 0; i < references.size(); i++) {
        String place = "/contextRefs/" + i;
        String reference = references.get(i);
        if (!SingleLineText.is(reference, LONGEST) || !reference.strip().equals(reference)) {
          throw invalid(
              "%s must be one line of 1 to %d characters without leading or trailing spaces"
                  .formatted(place, LONGEST),
              "write one path or URL");
        }
        requireUrl(place, reference);
        if (!seen.add(reference)) {
          throw invalid(place + " is a duplicate", "remove one");
        }
      }
    }

    private static void requireUrl(String place, String reference) {
      var scheme = SCHEME.matcher(reference);
      if (!scheme.matches()) {
        return;
      }
      String word = scheme.group(1);
      if (!word.equalsIgnoreCase("http") && !word.equalsIgnoreCase("https")) {
        throw invalid(
            "%s is neither a path nor an http(s) URL".formatted(place),
            "write a path without a scheme, or ./a:b if the path has a colon");
      }
      URI url = parse(place, reference);
      if (url.getHost() == null) {
        throw invalid(place + " has no host", "write it as https://host/path");
      }
      if (url.getRawUserInfo() != null) {
        throw invalid(
            place + " contains a user name or password",
            "remove the user name and password: every zoo client can read this URL");
      }
    }

    private static URI parse(String place, String reference) {
      try {
        return new URI(reference);
      } catch (URISyntaxException e) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "%s is not a valid URL: %s".formatted(place, e.getReason()),
            "percent-encode characters that are not allowed in a URL",
            e);
      }
    }

    private static Fault invalid(String message, String hint) {
      return ErrorCode.INVALID_CONFIG.fault(message, hint);
    }
  }
}
