package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;

/// Resolves a shared block from its id, or from its label if that is unique.
final class SharedBlockArgument {
  private SharedBlockArgument() {}

  static String id(JsonNode blocks, String typed) {
    List<String> ids =
        blocks
            .valueStream()
            .filter(one -> one.path("id").asText().equals(typed) || label(one).equals(typed))
            .map(one -> one.path("id").asText())
            .toList();
    if (ids.size() > 1) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "%d shared blocks are called %s".formatted(ids.size(), typed),
          "name one by its id: " + String.join(", ", ids));
    }
    return ids.stream()
        .findFirst()
        .orElseThrow(() ->
            new Fault(
                ErrorCode.NOT_FOUND,
                "shared block %s not found".formatted(typed),
                SpellingSuggestion.suggestion(
                        typed, blocks.valueStream().map(SharedBlockArgument::label).toList())
                    + "list shared blocks with: ./substrat memory shared"));
  }

  private static String label(JsonNode block) {
    return block.path("label").asText();
  }
}
