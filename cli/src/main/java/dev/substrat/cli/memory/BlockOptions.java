package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
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
    JsonTree.putIfGiven(body, "limit", limit);
    JsonTree.putIfGiven(body, "readOnly", readOnly);
    JsonTree.putIfGiven(body, "description", description);
    return body;
  }
}
