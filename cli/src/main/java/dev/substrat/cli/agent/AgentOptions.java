package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Options of `agent create`, merged into one configuration. Options override the file.
///
/// Validates only what merging needs. The daemon validates keys and values.
final class AgentOptions {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "Name of the agent.")
  @Nullable String name;

  @Option(names = "--instructions", paramLabel = "T", description = "System prompt.")
  @Nullable String instructions;

  @Option(
      names = "--provider",
      paramLabel = "P",
      completionCandidates = ProviderCandidates.class,
      description = "Provider that runs the agent's turns: ${COMPLETION-CANDIDATES}.")
  @Nullable String provider;

  @Option(names = "--model", paramLabel = "M", description = "Model, if the provider has several.")
  @Nullable String model;

  @Option(names = "--parent", paramLabel = "A", description = "Parent agent: handle or id.")
  @Nullable String parent;

  @Option(
      names = "--toolsets",
      paramLabel = "a,b",
      split = ",",
      description = "Toolsets, comma-separated (default: team, spaces, memory and goals).")
  @Nullable List<String> toolsets;

  @Option(
      names = "--template",
      paramLabel = "ID",
      description =
          "Template with the values of all other settings, from ./substrat agent templates.")
  @Nullable String template;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration file, YAML or JSON.")
  @Nullable Path config;

  ObjectNode body() {
    ObjectNode body = config == null ? JsonTree.object() : read(config);
    JsonTree.putIfGiven(body, "name", name);
    JsonTree.putIfGiven(body, "systemPrompt", instructions);
    JsonTree.putIfGiven(body, "parent", parent);
    JsonTree.putIfGiven(body, "template", template);
    if (provider != null || model != null) {
      ObjectNode chosen = provider(body);
      JsonTree.putIfGiven(chosen, "name", provider);
      JsonTree.putIfGiven(chosen, "model", model);
      requireName(chosen);
    }
    if (toolsets != null) {
      var list = body.putArray("toolsets");
      toolsets.forEach(toolset -> list.add(toolset.strip()));
    }
    if (!body.hasNonNull("name")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the agent has no name",
          "add the name: ./substrat agent create NAME, or name: in the file");
    }
    return body;
  }

  /// A relative script path in the file is resolved against the file's directory. The directory of
  /// an agent CLI is the workspace and stays as it is.
  static ObjectNode read(Path file) {
    ObjectNode body = ConfigFile.read(file);
    if (body.has("agents")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          file + " declares a whole team", "apply it: ./substrat apply " + file);
    }
    if (body.path("provider") instanceof ObjectNode provider
        && provider.path("name").asText().equals("scripted")
        && provider.has("command")
        && !provider.has("directory")) {
      Path absolute = file.toAbsolutePath().normalize();
      provider.put("directory", String.valueOf(absolute.getParent()));
    }
    return body;
  }

  private static void requireName(ObjectNode provider) {
    if (!provider.hasNonNull("name")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--model needs a provider", "add --provider: --provider P --model M");
    }
  }

  private static ObjectNode provider(ObjectNode body) {
    JsonNode present = body.path("provider");
    if (present instanceof ObjectNode object) {
      return object;
    }
    if (present.isMissingNode() || present.isNull()) {
      return body.putObject("provider");
    }
    throw ErrorCode.INVALID_CONFIG.fault(
        "provider in the file must be an object",
        "write, for example, provider: { name: ollama, model: NAME }");
  }
}
