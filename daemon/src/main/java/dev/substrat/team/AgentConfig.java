package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.access.limit.AgentLimits;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.McpServersConfig;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Configuration of an agent, as JSON or YAML; unknown keys are errors.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentConfig(
    @JsonPropertyDescription("Name that agents and people see; unique among siblings.") String name,
    @JsonPropertyDescription("Handle in URLs. Default: derived from the name.")
        @Nullable String handle,
    @Nullable String description,
    @JsonPropertyDescription("System prompt: who the agent is and how it works.")
        @Nullable String systemPrompt,
    @JsonPropertyDescription("Role: worker (default) or reviewer.") @Nullable String role,
    @Nullable ProviderConfig provider,
    @Nullable List<String> toolsets,
    @JsonPropertyDescription("Skills: parts of the prompt that can be switched on and off.")
        @Nullable List<Skill> skills,
    @JsonPropertyDescription("Categories of the skills, for display.")
        @Nullable List<SkillCategory> categories,
    @JsonPropertyDescription(
            "Paths and URLs that an external chat should read when it becomes the agent.")
        @Nullable List<String> contextRefs,
    @JsonPropertyDescription("Custom tools, in addition to the toolsets.")
        @Nullable List<CustomToolConfig> tools,
    @JsonPropertyDescription("Remote MCP servers that provide tools to the agent.")
        @Nullable McpServersConfig mcp,
    @JsonPropertyDescription(
            "Tools that are listed: all (default), or deferred: only find_tools, which loads other"
                + " tools on demand. Useful with more than 40 tools.")
        @Nullable ToolLoadingMode toolLoading,
    @JsonPropertyDescription("Middleware around each call of the agent's custom tools.")
        @Nullable List<JsonNode> middleware,
    @JsonPropertyDescription("Workspace: directory, visible paths, sandbox.")
        @Nullable WorkspaceConfig workspace,
    @JsonPropertyDescription("Behavior in spaces.") @Nullable SpacesConfig spaces,
    @Nullable AgentLimits limits,
    @JsonPropertyDescription("Id or handle of the parent agent.") @Nullable String parent,
    @JsonPropertyDescription("Id of a template; provides every key that is not set here.")
        @Nullable String template) {

  /// Without references, tools and servers.
  public AgentConfig(
      String name,
      @Nullable String handle,
      @Nullable String description,
      @Nullable String systemPrompt,
      @Nullable String role,
      @Nullable ProviderConfig provider,
      @Nullable List<String> toolsets,
      @Nullable List<Skill> skills,
      @Nullable AgentLimits limits,
      @Nullable String parent) {
    this(
        name,
        handle,
        description,
        systemPrompt,
        role,
        provider,
        toolsets,
        skills,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        limits,
        parent,
        null);
  }

  /// When the tools of an agent are listed.
  public enum ToolLoadingMode {
    /// All of them, always.
    ALL,
    /// Only tools loaded with `find_tools`.
    DEFERRED;

    @Override
    @JsonValue
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean defersTools() {
    return toolLoading == ToolLoadingMode.DEFERRED;
  }

  /// Effective value.
  public AgentLimits limitsOrDefault() {
    return limits == null ? AgentLimits.DEFAULTS : limits;
  }

  /// Effective value.
  public List<String> toolsetsOrDefault() {
    return toolsets == null ? ToolsetName.DEFAULTS : toolsets;
  }

  /// Effective value.
  public List<CustomToolConfig> toolsOrNone() {
    return tools == null ? List.of() : tools;
  }

  /// Effective value.
  public List<McpServerConfig> serversOrNone() {
    return mcp == null ? List.of() : mcp.servers();
  }

  /// Effective value.
  public WorkspaceConfig workspaceOrDefault() {
    return workspace == null ? WorkspaceConfig.DEFAULT : workspace;
  }

  /// Effective value.
  public SpacesConfig spacesOrDefault() {
    return spaces == null ? SpacesConfig.DEFAULT : spaces;
  }

  /// Effective value.
  public List<Skill> skillsOrNone() {
    return skills == null ? List.of() : skills;
  }

  /// Effective value.
  public List<SkillCategory> categoriesOrNone() {
    return categories == null ? List.of() : categories;
  }

  /// Effective value.
  public List<String> contextRefsOrNone() {
    return contextRefs == null ? List.of() : contextRefs;
  }

  /// Its skills with their dependencies.
  public Skills skillSet() {
    return new Skills(skillsOrNone());
  }

  /// Active skills, in order.
  public List<Skill> activeSkills() {
    return skillSet().active();
  }

  /// The same agent with another provider.
  public AgentConfig withProvider(ProviderConfig newProvider) {
    return with(newProvider, workspace);
  }

  /// The same agent, working there.
  public AgentConfig withWorkspace(@Nullable WorkspaceConfig place) {
    return with(provider, place);
  }

  private AgentConfig with(@Nullable ProviderConfig newProvider, @Nullable WorkspaceConfig place) {
    return new AgentConfig(
        name,
        handle,
        description,
        systemPrompt,
        role,
        newProvider,
        toolsets,
        skills,
        categories,
        contextRefs,
        tools,
        mcp,
        toolLoading,
        middleware,
        place,
        spaces,
        limits,
        parent,
        template);
  }
}
