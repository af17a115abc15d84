package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What thinks for an agent, and what that needs to know. Each provider knows which of these are
/// its own, and refuses the others.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProviderConfig(
    String name,
    @Nullable String model,
    @JsonPropertyDescription("For scripted agents: the rules they follow.")
        @Nullable JsonNode playbook,
    @JsonPropertyDescription("For scripted agents: a YAML file with the rules.")
        @Nullable String playbookFile,
    @JsonPropertyDescription("For scripted agents: how often they misbehave, for tests.")
        @Nullable JsonNode chaos,
    @JsonPropertyDescription("For scripted agents: a program that speaks JSON lines, per turn.")
        @Nullable List<String> command,
    @JsonPropertyDescription("Where the command runs; an absolute path.")
        @Nullable String directory,
    @JsonPropertyDescription("Where the model's API is, if not at its maker's.")
        @Nullable String baseUrl,
    @JsonPropertyDescription("The key of the model's API, as ${env.NAME}.") @Nullable String apiKey,
    @JsonPropertyDescription("How freely a model chooses its words.") @Nullable Double temperature,
    @JsonPropertyDescription("The most tokens a model may say in one step.")
        @Nullable Integer maxOutputTokens,
    @JsonPropertyDescription(
            "How much of its past a model is told, in tokens, before it is summed up.")
        @Nullable Integer contextTokens,
    @JsonPropertyDescription("The model that goes on when the first cannot.")
        @Nullable String fallbackModel,
    @JsonPropertyDescription("What a million tokens cost.") @Nullable Price price,
    @JsonPropertyDescription("How an agent CLI reaches its tools: http (default) or stdio.")
        @Nullable String mcp,
    @JsonPropertyDescription("More words for the command of an agent CLI.")
        @Nullable List<String> args,
    @JsonPropertyDescription("More of an agent CLI's environment; values may be ${env.NAME}.")
        @Nullable Map<String, String> env,
    @JsonPropertyDescription("For agent CLIs that Substrat does not know: how one is driven.")
        @Nullable JsonNode cli) {

  /// The provider of agents that think for themselves, somewhere else.
  public static final String EXTERNAL = "external";

  /// The provider of agents that follow a playbook or a program.
  public static final String SCRIPTED = "scripted";

  /// In dollars for a million tokens.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Price(@Nullable Double input, @Nullable Double output) {}

  /// One that needs to know nothing more.
  public static ProviderConfig named(String name) {
    return scripted(name, null, null, null, null, null);
  }

  /// The same, working in its agent's workspace and nowhere else.
  public ProviderConfig withoutDirectory() {
    return new ProviderConfig(
        name,
        model,
        playbook,
        playbookFile,
        chaos,
        command,
        null,
        baseUrl,
        apiKey,
        temperature,
        maxOutputTokens,
        contextTokens,
        fallbackModel,
        price,
        mcp,
        args,
        env,
        cli);
  }

  /// One that follows a playbook or a program.
  public static ProviderConfig scripted(
      String name,
      @Nullable String model,
      @Nullable JsonNode playbook,
      @Nullable JsonNode chaos,
      @Nullable List<String> command,
      @Nullable String directory) {
    return new ProviderConfig(
        name, model, playbook, null, chaos, command, directory, null, null, null, null, null, null,
        null, null, null, null, null);
  }
}
