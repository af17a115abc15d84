package dev.substrat.team;

import dev.substrat.protocol.Handle;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Skills of one agent, which may require each other. A skill is active if it is switched on and
/// all its required skills are active.
///
/// Names are unique and requirements have no cycle: [SkillRules] checks that before anything is
/// stored.
public record Skills(List<Skill> all) {

  /// Active skills, in the configured order.
  public List<Skill> active() {
    Set<String> counting = counting();
    return all.stream().filter(skill -> counts(skill, counting)).toList();
  }

  /// The id of each skill, in order: the given one, or a unique slug of the name.
  public List<String> ids() {
    var taken =
        all.stream()
            .map(Skill::id)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(HashSet::new));
    return all.stream()
        .map(skill -> skill.id() == null ? free(Handle.slug(skill.name()), taken) : skill.id())
        .toList();
  }

  private static String free(String slug, Set<String> taken) {
    String wanted = slug.isEmpty() ? "skill" : slug;
    String id = wanted;
    for (int suffix = 2; !taken.add(id); suffix++) {
      id = wanted + "-" + suffix;
    }
    return id;
  }

  /// Why a skill that is switched on does not apply.
  public Optional<String> reason(Skill skill) {
    if (!skill.isOn() || skill.requiresOrNone().isEmpty()) {
      return Optional.empty();
    }
    Set<String> counting = counting();
    return skill.requiresOrNone().stream()
        .filter(name -> !counting.contains(name))
        .findFirst()
        .map(this::missing);
  }

  /// A required skill may be on and inactive itself.
  private String missing(String name) {
    boolean isOn = all.stream().anyMatch(skill -> skill.name().equals(name) && skill.isOn());
    return "requires %s, which %s".formatted(name, isOn ? "is inactive, too" : "is off");
  }

  /// Names of skills that apply: starts with all and removes those with a missing dependency, until
  /// none has one.
  private Set<String> counting() {
    Set<String> before = names(all);
    Set<String> left = without(before);
    while (!left.equals(before)) {
      before = left;
      left = without(before);
    }
    return left;
  }

  private Set<String> without(Set<String> counting) {
    return names(all.stream().filter(skill -> counts(skill, counting)).toList());
  }

  private static boolean counts(Skill skill, Set<String> counting) {
    return skill.isOn() && counting.containsAll(skill.requiresOrNone());
  }

  private static Set<String> names(List<Skill> skills) {
    return skills.stream().map(Skill::name).collect(Collectors.toSet());
  }
}
