package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a block is, beside what it says.
final class BlockOptions {
  @Option(names = "--limit", paramLabel = "N", description = "How many characters it holds.")
  private @Nullable Integer limit;

  @Option(
      names = "--read-only",
      negatable = true,
      description = "Only people write it; --no-read-only lets the agent again.")
  private @Nullable Boolean readOnly;

  @Option(names = "--description", paramLabel = "D", description = "What the block is for.")
  private @Nullable String description;

  ObjectNode in(ObjectNode body) {
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
