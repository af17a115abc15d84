package dev.substrat.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.agent.ConfigFile;
import dev.substrat.cli.client.JsonTree;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that override the provider of a recorded turn.
final class ProviderOverrideOptions {
  @Option(
      names = "--provider-file",
      paramLabel = "FILE",
      description =
          "Use another provider: file with its settings or an agent's file, YAML or JSON.")
  @Nullable Path providerFile;

  @Option(
      names = "--model",
      paramLabel = "M",
      description = "Use another model (default: as recorded).")
  @Nullable String model;

  ObjectNode body() {
    var body = JsonTree.object();
    if (providerFile != null) {
      ObjectNode file = ConfigFile.read(providerFile);
      body.set("provider", file.path("provider") instanceof ObjectNode inside ? inside : file);
    }
    if (model != null) {
      body.put("model", model);
    }
    return body;
  }
}
