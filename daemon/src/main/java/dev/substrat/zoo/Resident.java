package dev.substrat.zoo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.limit.Limits;
import dev.substrat.protocol.Handle;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Mind;
import dev.substrat.team.Skill;
import dev.substrat.team.Skills;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An agent as a visitor may see it: all of its configuration, but no secret.
///
/// Everything is named here one by one: a key that is added to configurations is not shown before
/// somebody has decided that it may be.
@JsonInclude(JsonInclude.Include.NON_NULL)
record Resident(
    @JsonPropertyDescription("What the tools take as agentId.") String id,
    String uuid,
    String name,
    String description,
    String systemPrompt,
    String role,
    @JsonPropertyDescription("The id of the agent it reports to.") @Nullable String parent,
    ObjectNode provider,
    List<String> toolsets,
    List<Ability> skills,
    @JsonPropertyDescription("Paths and URLs that a chat should look at when it becomes the agent.")
        @Nullable List<String> contextRefs,
    ObjectNode limits,
    Instant createdAt) {

  /// What else a provider needs may be a secret, or a way to one.
  private static final Set<String> HARMLESS = Set.of("name", "model");

  private static final String REDACTED = "(redacted)";

  /// A skill, switched on or off.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Ability(
      String id,
      String name,
      String description,
      @Nullable String category,
      boolean enabled,
      @JsonPropertyDescription("Names of skills without which it does not count.")
          @Nullable List<String> requires,
      @JsonPropertyDescription("Why it does not count although it is enabled.")
          @Nullable String inactiveBecause) {

    /// Whether a mind is given it.
    boolean counts() {
      return enabled && inactiveBecause == null;
    }
  }

  static Resident of(Agent agent, @Nullable String parent) {
    AgentConfig config = agent.config();
    return new Resident(
        agent.handle(),
        agent.id().value(),
        agent.name(),
        text(config.description()),
        text(config.systemPrompt()),
        agent.role(),
        parent,
        redacted(config.provider()),
        config.toolsetsOrDefault(),
        skills(agent),
        config.contextRefsOrNone().isEmpty() ? null : config.contextRefs(),
        json(config.limitsOrDefault()),
        agent.createdAt());
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static ObjectNode json(Limits limits) {
    return (ObjectNode) Json.tree(limits);
  }

  private static ObjectNode redacted(@Nullable Mind mind) {
    var shown = mind == null ? Json.object() : (ObjectNode) Json.tree(mind);
    for (String key : List.copyOf(shown.propertyStream().map(one -> one.getKey()).toList())) {
      if (!HARMLESS.contains(key)) {
        shown.put(key, REDACTED);
      }
    }
    return shown;
  }

  /// With ids made of their names; the second of a name is the second, whether or not it is on.
  static List<Ability> skills(Agent agent) {
    Skills skills = agent.config().skillSet();
    var taken = new HashSet<String>();
    var all = new ArrayList<Ability>();
    for (Skill skill : skills.all()) {
      all.add(
          new Ability(
              free(Handle.slug(skill.name()), taken),
              skill.name(),
              skill.text(),
              skill.category(),
              skill.isOn(),
              skill.requiresOrNone().isEmpty() ? null : skill.requires(),
              skills.reason(skill).orElse(null)));
    }
    return List.copyOf(all);
  }

  private static String free(String slug, Set<String> taken) {
    String wanted = slug.isEmpty() ? "skill" : slug;
    String id = wanted;
    for (int suffix = 2; !taken.add(id); suffix++) {
      id = wanted + "-" + suffix;
    }
    return id;
  }
}
