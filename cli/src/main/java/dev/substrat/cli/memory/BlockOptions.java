package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options for the properties of a block.
final class BlockOptions {
  @Option(names = "--limit", paramLabel = "N", description = "Maximum number of characters.")
  private @Nullable Integer limit;

  @Option(
      names = "--read-only",
      negatable = true,
      description =
          "Only people can write the block; --no-read-only lets the agent write it again.")
  private @Nullable Boolean readOnly;

  @Option(
      names = "--description",
      paramLabel = "D",
      description = "Purpose of the block, shown to the agent.")
  private @Nullable String description;

  ObjectNode addTo(ObjectNode body) {
    if (limit != null) {
      body.put("limit", limit);
    }
    if (readOnly != null) {
      body.put("readOnly", readOnly);
    }
    if (description != null) {
      body.put("description", description);
    }
    return body;
  }
}
