package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.console.agents.AgentDraft;
import dev.substrat.console.agents.AgentDraft.CategoryDraft;
import dev.substrat.console.agents.AgentDraft.SkillDraft;
import dev.substrat.http.server.FormData;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Skill;
import dev.substrat.team.SkillCategory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Creates drafts from agent configurations and from form input.
final class DraftFormReader {
  /// Default colour of a category.
  private static final String PLAIN = "stone";

  private DraftFormReader() {}

  /// Draft of a new agent with default values.
  static AgentDraft empty(List<String> toolsets, @Nullable String parent) {
    return new AgentDraft(
        "",
        "",
        "",
        "worker",
        text(parent),
        "",
        "scripted",
        "",
        "",
        toolsets,
        List.of(),
        List.of(),
        "",
        "",
        Map.of(),
        "");
  }

  /// Draft of an existing configuration; `base` is its hash.
  static AgentDraft of(AgentConfig config, String base) {
    var tree = (ObjectNode) Json.tree(config);
    List<SkillDraft> skills = skills(config.skillsOrNone());
    return new AgentDraft(
        config.name(),
        text(config.handle()),
        text(config.description()),
        config.role() == null ? "worker" : config.role(),
        text(config.parent()),
        text(config.systemPrompt()),
        config.provider() == null ? "scripted" : config.provider().name(),
        config.provider() == null ? "" : text(config.provider().model()),
        settings(tree.path("provider")),
        config.toolsetsOrDefault(),
        skills,
        categories(categories(config.categoriesOrNone()), skills),
        written(tree.path("tools")),
        written(tree.path("mcp").path("servers")),
        limits(tree.path("limits")),
        base);
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  /// Provider settings without a form field of their own.
  private static String settings(JsonNode provider) {
    if (!(provider instanceof ObjectNode known)) {
      return "";
    }
    ObjectNode rest = known.deepCopy();
    rest.remove(List.of("name", "model"));
    return written(rest);
  }

  private static String written(JsonNode value) {
    return value.isMissingNode() || value.isEmpty() ? "" : Yaml.text(value);
  }

  private static List<SkillDraft> skills(List<Skill> skills) {
    var drafts = new ArrayList<SkillDraft>();
    for (Skill skill : skills) {
      drafts.add(
          new SkillDraft(
              "s" + drafts.size(),
              skill.name(),
              text(skill.description()),
              text(skill.category()),
              skill.isOn(),
              skill.name(),
              String.join(", ", skill.requiresOrNone())));
    }
    return drafts;
  }

  private static List<CategoryDraft> categories(List<SkillCategory> categories) {
    var drafts = new ArrayList<CategoryDraft>();
    for (SkillCategory category : categories) {
      String colour = category.colour() == null ? PLAIN : category.colour();
      drafts.add(new CategoryDraft("c" + drafts.size(), category.name(), colour, false));
    }
    return drafts;
  }

  /// Adds a category for each category name of a skill, with an unused colour if there is one, and
  /// removes automatic categories that no skill names.
  private static List<CategoryDraft> categories(List<CategoryDraft> rows, List<SkillDraft> skills) {
    List<String> named =
        skills.stream()
            .map(SkillDraft::category)
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    var all = new ArrayList<>(rows);
    all.removeIf(row -> row.isAutomatic() && !named.contains(row.name()));
    for (String name : named) {
      if (all.stream().noneMatch(row -> row.name().equals(name))) {
        all.add(new CategoryDraft(freeKey(all), name, freeColour(all), true));
      }
    }
    return all;
  }

  private static String freeKey(List<CategoryDraft> taken) {
    return IntStream.range(0, taken.size() + 1)
        .mapToObj(i -> "made" + i)
        .filter(key -> taken.stream().noneMatch(row -> row.key().equals(key)))
        .findFirst()
        .orElseThrow();
  }

  private static String freeColour(List<CategoryDraft> taken) {
    return SkillCategory.COLOURS.stream()
        .filter(colour -> !colour.equals(PLAIN))
        .filter(colour -> taken.stream().noneMatch(row -> row.colour().equals(colour)))
        .findFirst()
        .orElse(PLAIN);
  }

  private static Map<String, String> limits(JsonNode limits) {
    var known = new LinkedHashMap<String, String>();
    limits.propertyStream().forEach(one -> known.put(one.getKey(), one.getValue().asText()));
    return known;
  }

  /// Draft of the form input, unchanged.
  static AgentDraft from(FormData form) {
    List<SkillDraft> skills =
        form.all("skill").stream()
            .map(key -> skill(form, key))
            .filter(skill -> !skill.isBlank())
            .toList();
    List<CategoryDraft> categories =
        form.all("category").stream().map(key -> category(form, key)).toList();
    return new AgentDraft(
        form.text("name").strip(),
        form.text("handle").strip(),
        form.text("description").strip(),
        form.text("role"),
        form.text("parent").strip(),
        form.text("systemPrompt"),
        form.text("provider"),
        form.text("model").strip(),
        form.text("settings"),
        form.all("toolsets"),
        skills,
        categories(categories, skills),
        form.text("tools"),
        form.text("servers"),
        limits(form),
        form.text("base"));
  }

  private static SkillDraft skill(FormData form, String key) {
    String field = "skill." + key + ".";
    return new SkillDraft(
        key,
        form.text(field + "name").strip(),
        form.text(field + "text"),
        form.text(field + "category").strip(),
        form.has(field + "on"),
        form.text(field + "was"),
        form.text(field + "requires").strip());
  }

  private static CategoryDraft category(FormData form, String key) {
    String field = "category." + key + ".";
    return new CategoryDraft(
        key,
        form.text(field + "name").strip(),
        form.text(field + "colour"),
        form.text(field + "made").equals("true"));
  }

  private static Map<String, String> limits(FormData form) {
    return form.values().keySet().stream()
        .filter(name -> name.startsWith("limits."))
        .collect(
            Collectors.toMap(
                name -> name.substring("limits.".length()), name -> form.text(name).strip()));
  }
}
