package dev.substrat.catalog.zoo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.template.PortableConfig;
import dev.substrat.platform.json.Json;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Skill;
import dev.substrat.team.SkillCategory;
import dev.substrat.team.Skills;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent as a zoo client sees it: its whole configuration, with `***` in place of each literal
/// secret. References such as `${env.NAME}` stay.
@JsonInclude(JsonInclude.Include.NON_NULL)
record ZooAgent(
    @JsonPropertyDescription("Id of the agent, for the argument agentId of tools.") String id,
    String uuid,
    String name,
    String description,
    String systemPrompt,
    String role,
    @JsonPropertyDescription("Id of the parent agent.") @Nullable String parent,
    ObjectNode provider,
    List<String> toolsets,
    List<ToolSummary> skills,
    @JsonPropertyDescription("Categories of the agent's skills.")
        @Nullable List<SkillCategory> categories,
    @JsonPropertyDescription("Paths and URLs that a chat should read when it becomes the agent.")
        @Nullable List<String> contextRefs,
    @JsonPropertyDescription("Custom tools of the agent.") @Nullable List<JsonNode> tools,
    @JsonPropertyDescription("Remote MCP servers of the agent.") @Nullable ObjectNode mcp,
    @JsonPropertyDescription("Tools that are listed to the model: all or deferred.")
        AgentConfig.@Nullable ToolLoadingMode toolLoading,
    @Nullable List<JsonNode> middleware,
    @Nullable ObjectNode workspace,
    @Nullable ObjectNode spaces,
    ObjectNode limits,
    Instant createdAt) {

  /// A skill, switched on or off.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ToolSummary(
      String id,
      String name,
      String description,
      @Nullable String category,
      boolean enabled,
      @JsonPropertyDescription("Names of required skills.") @Nullable List<String> requires,
      @JsonPropertyDescription("Reason why an enabled skill is not active.")
          @Nullable String inactiveBecause) {

    /// Whether the skill is part of the prompt.
    boolean counts() {
      return enabled && inactiveBecause == null;
    }
  }

  static ZooAgent of(Agent agent, @Nullable String parent) {
    AgentConfig config = agent.config();
    ObjectNode shown = PortableConfig.masked(config);
    return new ZooAgent(
        agent.handle(),
        agent.id().value(),
        agent.name(),
        text(config.description()),
        text(config.systemPrompt()),
        agent.role(),
        parent,
        shown.path("provider") instanceof ObjectNode provider ? provider : Json.object(),
        config.toolsetsOrDefault(),
        skills(agent),
        config.categories(),
        config.contextRefsOrNone().isEmpty() ? null : config.contextRefs(),
        list(shown.path("tools")),
        object(shown.path("mcp")),
        config.toolLoading(),
        list(shown.path("middleware")),
        object(shown.path("workspace")),
        object(shown.path("spaces")),
        (ObjectNode) Json.tree(config.limitsOrDefault()),
        agent.createdAt());
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static @Nullable List<JsonNode> list(JsonNode list) {
    return list.isEmpty() ? null : list.valueStream().toList();
  }

  private static @Nullable ObjectNode object(JsonNode value) {
    return value instanceof ObjectNode object ? object : null;
  }

  static List<ToolSummary> skills(Agent agent) {
    Skills skills = agent.config().skillSet();
    List<String> ids = skills.ids();
    var all = new ArrayList<ToolSummary>();
    for (int i = 0; i < ids.size(); i++) {
      Skill skill = skills.all().get(i);
      all.add(
          new ToolSummary(
              ids.get(i),
              skill.name(),
              skill.text(),
              skill.category(),
              skill.isOn(),
              skill.requiresOrNone().isEmpty() ? null : skill.requires(),
              skills.reason(skill).orElse(null)));
    }
    return List.copyOf(all);
  }
}
