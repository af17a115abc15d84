package dev.substrat.team;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Validation of skills beyond their schema.
final class SkillRules {
  private static final int MAX_NAME_LENGTH = 80;

  /// More than people can manage, and few enough to be followed one by one.
  private static final int MAX_COUNT = 1_000;

  private static final int MAX_REQUIRED_SKILLS = 50;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,79}");

  private final Set<String> ids = new HashSet<>();

  private final Map<String, Skill> byName = new HashMap<>();

  /// Names from which no cycle can be reached; each is checked once.
  private final Set<String> straight = new HashSet<>();

  static void require(List<Skill> skills) {
    if (skills.size() > MAX_COUNT) {
      throw invalid("/skills has more than " + MAX_COUNT + " entries", "remove some");
    }
    var rules = new SkillRules();
    for (int i = 0; i < skills.size(); i++) {
      rules.requireId("/skills/" + i, skills.get(i).id());
      rules.requireName("/skills/" + i, skills.get(i));
    }
    for (int i = 0; i < skills.size(); i++) {
      rules.requireKnown("/skills/" + i + "/requires", skills.get(i));
    }
    for (int i = 0; i < skills.size(); i++) {
      rules.requireStraight("/skills/" + i + "/requires", skills.get(i).name(), new ArrayList<>());
    }
  }

  private void requireId(String place, @Nullable String id) {
    if (id != null && !ID.matcher(id).matches()) {
      throw invalid(
          "%s/id cannot be \"%s\"".formatted(place, id),
          "use 1 to 80 letters, digits, dots, dashes and underscores, or omit the key");
    }
    if (id != null && !ids.add(id)) {
      throw invalid("%s/id is a duplicate: \"%s\"".formatted(place, id), "choose another id");
    }
  }

  /// The name is a heading in the agent's prompt, and other skills require it by name.
  private void requireName(String place, Skill skill) {
    if (!SingleLineText.is(skill.name(), MAX_NAME_LENGTH)) {
      throw invalid(
          "%s/name must have 1 to %d characters on one line".formatted(place, MAX_NAME_LENGTH),
          "use a short name and put details into the description");
    }
    if (byName.put(skill.name(), skill) != null) {
      throw invalid(
          "%s/name is a duplicate: \"%s\"".formatted(place, skill.name()),
          "choose another name, or merge both skills");
    }
  }

  private void requireKnown(String place, Skill skill) {
    List<String> required = skill.requiresOrNone();
    if (required.size() > MAX_REQUIRED_SKILLS) {
      throw invalid(
          "%s has more than %d entries".formatted(place, MAX_REQUIRED_SKILLS),
          "require one skill that requires other skills");
    }
    for (int i = 0; i < required.size(); i++) {
      String name = required.get(i);
      if (!byName.containsKey(name)) {
        throw invalid(
            "%s/%d is not a skill of this agent: \"%s\"".formatted(place, i, name),
            "use the exact name of one of its skills");
      }
    }
  }

  private void requireStraight(String place, String name, List<String> path) {
    if (straight.contains(name)) {
      return;
    }
    int before = path.indexOf(name);
    path.add(name);
    if (before >= 0) {
      throw invalid(
          "%s has a cycle: %s"
              .formatted(place, String.join(", ", path.subList(before, path.size()))),
          "remove one of these requirements");
    }
    @Nullable Skill skill = byName.get(name);
    for (String required : skill == null ? List.<String>of() : skill.requiresOrNone()) {
      requireStraight(place, required, path);
    }
    path.removeLast();
    straight.add(name);
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
