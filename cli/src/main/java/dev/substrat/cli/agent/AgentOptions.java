package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What `agent create` is told, merged into one configuration: the file first, then what was typed.
///
/// Nothing is checked here beyond what merging needs. The daemon knows which keys and values make
/// sense, and says so in words that fit its version.
final class AgentOptions {
  @Parameters(arity = "0..1", paramLabel = "NAME", description = "What the agent is called.")
  @Nullable String name;

  @Option(names = "--instructions", paramLabel = "T", description = "Its system prompt.")
  @Nullable String instructions;

  @Option(
      names = "--provider",
      paramLabel = "P",
      completionCandidates = ProviderCandidates.class,
      description = "Who thinks for it.")
  @Nullable String provider;

  @Option(names = "--model", paramLabel = "M", description = "Which model the provider uses.")
  @Nullable String model;

  @Option(names = "--parent", paramLabel = "A", description = "Whom it reports to.")
  @Nullable String parent;

  @Option(
      names = "--toolsets",
      paramLabel = "a,b",
      split = ",",
      description = "Which tools it has.")
  @Nullable List<String> toolsets;

  @Option(
      names = "--template",
      paramLabel = "ID",
      description = "What holds for all that is not said; ./substrat agent templates lists them.")
  @Nullable String template;

  @Option(names = "--config", paramLabel = "FILE", description = "Configuration, YAML or JSON.")
  @Nullable Path config;

  ObjectNode body() {
    ObjectNode body = config == null ? JsonTree.object() : read(config);
    put(body, "name", name);
    put(body, "systemPrompt", instructions);
    put(body, "parent", parent);
    put(body, "template", template);
    if (provider != null || model != null) {
      ObjectNode chosen = provider(body);
      put(chosen, "name", provider);
      put(chosen, "model", model);
      requireName(chosen);
    }
    if (toolsets != null) {
      var list = body.putArray("toolsets");
      toolsets.forEach(toolset -> list.add(toolset.strip()));
    }
    if (!body.hasNonNull("name")) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "the agent has no name",
          "say it first: ./substrat agent create NAME, or write name: into the file");
    }
    return body;
  }

  /// A script that the file names is looked for beside the file, as whoever wrote it expects. An
  /// agent CLI is installed somewhere, and its agent works in its workspace.
  static ObjectNode read(Path file) {
    ObjectNode body = ConfigFile.read(file);
    if (body.has("agents")) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          file + " declares a whole team",
          "apply it: ./substrat apply " + file);
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
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "a model needs a provider",
          "say whose model it is: --provider P --model M");
    }
  }

  private static void put(ObjectNode target, String key, @Nullable String value) {
    if (value != null) {
      target.put(key, value);
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
    throw new Fault(
        ErrorCode.INVALID_CONFIG,
        "provider in the file is not an object",
        "write it as provider: { name: ..., model: ... }");
  }
}
