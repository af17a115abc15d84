package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Provider of an agent and its settings. Each provider rejects settings that it does not use.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProviderConfig(
    String name,
    @Nullable String model,
    @JsonPropertyDescription("For scripted agents: the playbook (rules).")
        @Nullable JsonNode playbook,
    @JsonPropertyDescription("For scripted agents: YAML file with the playbook.")
        @Nullable String playbookFile,
    @JsonPropertyDescription("For scripted agents in tests: how often turns fail.")
        @Nullable JsonNode chaos,
    @JsonPropertyDescription(
            "For scripted agents: program that speaks JSON lines, started per turn.")
        @Nullable List<String> command,
    @JsonPropertyDescription("Working directory of the command; an absolute path.")
        @Nullable String directory,
    @JsonPropertyDescription("URL of the model API. Default: the vendor's.")
        @Nullable String baseUrl,
    @JsonPropertyDescription("API key, as ${env.NAME}.") @Nullable String apiKey,
    @JsonPropertyDescription("Sampling temperature.") @Nullable Double temperature,
    @JsonPropertyDescription("Maximum output tokens per model request.")
        @Nullable Integer maxOutputTokens,
    @JsonPropertyDescription("Maximum history in tokens; longer history is summarized.")
        @Nullable Integer contextTokens,
    @JsonPropertyDescription("Model to use if `model` fails.") @Nullable String fallbackModel,
    @JsonPropertyDescription("Price in US dollars per million tokens.") @Nullable TokenPrice price,
    @JsonPropertyDescription(
            "MCP transport between an agent CLI and its tools: http (default) or stdio.")
        @Nullable String mcp,
    @JsonPropertyDescription("Additional arguments for the command of an agent CLI.")
        @Nullable List<String> args,
    @JsonPropertyDescription(
            "Additional environment variables of an agent CLI; values may be ${env.NAME}.")
        @Nullable Map<String, String> env,
    @JsonPropertyDescription("For custom agent CLIs: how to run the program.")
        @Nullable JsonNode cli) {

  /// Provider of external agents.
  public static final String EXTERNAL = "external";

  /// The provider of agents that follow a playbook or a program.
  public static final String SCRIPTED = "scripted";

  /// Dollars per million tokens.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record TokenPrice(@Nullable Double input, @Nullable Double output) {}

  /// Provider without further settings.
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

  /// Provider with a playbook or a program.
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
