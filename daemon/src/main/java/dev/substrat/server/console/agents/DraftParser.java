package dev.substrat.server.console.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.console.agents.AgentDraft;
import dev.substrat.console.agents.DraftProblems;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.Fault;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ToolsetName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Parses a draft into a configuration, or returns the errors by field.
///
/// Keys without a form field are copied from `base`.
final class DraftParser {
  private static final JsonSchema CONFIG = JsonSchema.ofRecord(AgentConfig.class);

  private final AgentDraft draft;
  private final ObjectNode tree;
  private final Map<String, String> wrong = new LinkedHashMap<>();

  private DraftParser(AgentDraft draft, ObjectNode base) {
    this.draft = draft;
    this.tree = base.deepCopy();
  }

  /// Result: a configuration, or errors. With errors, `rest` is the configuration of the valid
  /// fields, if they form one.
  record DraftParseResult(
      Optional<AgentConfig> config, DraftProblems wrong, Optional<AgentConfig> rest) {}

  static DraftParseResult of(AgentDraft draft, ObjectNode base) {
    return new DraftParser(draft, base).read();
  }

  private DraftParseResult read() {
    words();
    provider();
    skills();
    list("tools", draft.tools())
        .ifPresentOrElse(all -> tree.set("tools", all), () -> tree.remove("tools"));
    list("servers", draft.servers())
        .ifPresentOrElse(
            all -> tree.putObject("mcp").set("servers", all), () -> tree.remove("mcp"));
    limits();
    try {
      CONFIG.require(tree);
      AgentConfig config = Json.as(tree, AgentConfig.class);
      return wrong.isEmpty()
          ? new DraftParseResult(Optional.of(config), DraftProblems.NOTHING, Optional.of(config))
          : new DraftParseResult(
              Optional.empty(), new DraftProblems(wrong, List.of()), Optional.of(config));
    } catch (Fault fault) {
      DraftProblems all = new DraftProblems(wrong, List.of()).and(FieldProblems.of(fault, draft));
      return new DraftParseResult(Optional.empty(), all, rest(all));
    }
  }

  private Optional<AgentConfig> rest(DraftProblems all) {
    all.at().keySet().forEach(this::leaveOut);
    try {
      CONFIG.require(tree);
      return Optional.of(Json.as(tree, AgentConfig.class));
    } catch (Fault fault) {
      return Optional.empty();
    }
  }

  private void leaveOut(String field) {
    switch (field) {
      case "servers" -> tree.remove("mcp");
      case "settings" -> tree.putObject("provider").put("name", draft.provider());
      default -> tree.remove(field.startsWith("skill") ? "skills" : field.split("\\.", 2)[0]);
    }
  }

  private void words() {
    tree.put("name", draft.name());
    put("handle", draft.handle());
    put("description", draft.description());
    put("systemPrompt", draft.systemPrompt());
    put("role", draft.role().equals("worker") && !tree.has("role") ? "" : draft.role());
    put("parent", draft.parent());
    if (draft.name().isEmpty()) {
      wrong.put("name", "Enter a name");
    }
    List<String> chosen = toolsets();
    // Unset keys stay unset.
    if (tree.has("toolsets") || !chosen.equals(ToolsetName.DEFAULTS)) {
      ArrayNode toolsets = tree.putArray("toolsets");
      chosen.forEach(toolsets::add);
    }
  }

  /// In their previous order, followed by new ones. A toolset without a checkbox is kept.
  private List<String> toolsets() {
    var chosen = new LinkedHashSet<String>();
    if (tree.has("toolsets")) {
      tree.path("toolsets").forEach(one -> chosen.add(one.asText()));
    } else {
      chosen.addAll(ToolsetName.DEFAULTS);
    }
    List<String> offered = ToolsetName.words();
    chosen.removeIf(one -> offered.contains(one) && !draft.toolsets().contains(one));
    chosen.addAll(draft.toolsets());
    return List.copyOf(chosen);
  }

  /// An empty field removes the key.
  private void put(String key, String text) {
    if (text.isEmpty()) {
      tree.remove(key);
    } else {
      tree.put(key, text);
    }
  }

  private void provider() {
    ObjectNode provider = Json.object().put("name", draft.provider());
    if (!draft.model().isEmpty()) {
      provider.put("model", draft.model());
    }
    parsed("settings", draft.settings())
        .ifPresent(rest -> {
          if (rest instanceof ObjectNode settings) {
            provider.setAll(settings);
          } else {
            wrong.put("settings", "Enter keys and values, such as: temperature: 0.2");
          }
        });
    tree.set("provider", provider);
  }

  private void skills() {
    Map<String, JsonNode> before = new HashMap<>();
    tree.path("skills").forEach(skill -> before.put(skill.path("name").asText(), skill));
    ArrayNode skills = tree.putArray("skills");
    for (AgentDraft.SkillDraft skill : draft.skills()) {
      JsonNode known = before.getOrDefault(skill.previousName(), Json.object());
      ObjectNode one = skills.addObject();
      put(one, "id", known.path("id").asText(""));
      one.put("name", skill.name());
      if (skill.name().isEmpty()) {
        wrong.put("skill." + skill.key() + ".name", "Enter a name");
      }
      put(one, "description", skill.text().strip());
      put(one, "category", skill.category());
      if (!skill.isOn() || known.has("enabled")) {
        one.put("enabled", skill.isOn());
      }
      List<String> required = required(skill, known.path("requires"));
      if (!required.isEmpty() || known.has("requires")) {
        required.forEach(one.putArray("requires")::add);
      }
    }
    categories();
  }

  /// Skills renamed in the same form are required under their new name.
  private List<String> required(AgentDraft.SkillDraft skill, JsonNode known) {
    var before = new ArrayList<String>();
    known.forEach(name -> before.add(name.asText()));
    // A name may contain commas.
    List<String> typed =
        skill.requires().equals(String.join(", ", before))
            ? before
            : Stream.of(skill.requires().split(",")).map(String::strip).toList();
    return typed.stream().filter(name -> !name.isEmpty()).map(this::calledNow).distinct().toList();
  }

  private String calledNow(String skill) {
    boolean isThere = draft.skills().stream().anyMatch(one -> one.name().equals(skill));
    return isThere
        ? skill
        : draft.skills().stream()
            .filter(one -> one.previousName().equals(skill))
            .map(AgentDraft.SkillDraft::name)
            .findFirst()
            .orElse(skill);
  }

  private void categories() {
    ArrayNode categories = tree.putArray("categories");
    draft.categories().stream()
        .filter(category -> !category.name().isEmpty())
        .forEach(category ->
            put(categories.addObject().put("name", category.name()), "colour", category.colour()));
    List.of("skills", "categories").stream()
        .filter(key -> tree.path(key).isEmpty())
        .forEach(tree::remove);
  }

  private static void put(ObjectNode one, String key, String text) {
    if (!text.isEmpty()) {
      one.put(key, text);
    }
  }

  private Optional<ArrayNode> list(String field, String text) {
    Optional<JsonNode> value = parsed(field, text);
    if (value.isPresent() && !(value.get() instanceof ArrayNode)) {
      wrong.put(field, "Enter a list: each entry starts with a dash");
    }
    return value.filter(ArrayNode.class::isInstance).map(ArrayNode.class::cast);
  }

  private Optional<JsonNode> parsed(String field, String text) {
    if (text.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Json.own(Json.text(Yaml.parse(text))));
    } catch (Fault fault) {
      wrong.put(field, fault.message());
      return Optional.empty();
    }
  }

  private void limits() {
    ObjectNode limits = Json.object();
    draft
        .limits()
        .forEach((name, text) -> {
          if (!text.isEmpty()) {
            try {
              limits.put(name, new BigDecimal(text));
            } catch (NumberFormatException e) {
              wrong.put("limits." + name, "Enter a number");
            }
          }
        });
    if (limits.isEmpty()) {
      tree.remove("limits");
    } else {
      tree.set("limits", Json.own(limits.toString()));
    }
  }
}
