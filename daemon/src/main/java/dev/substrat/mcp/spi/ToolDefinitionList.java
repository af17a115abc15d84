package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.substrat.platform.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A list of tool definitions in a fixed order. It is serialized once, so callers that list the
/// same tools often keep the same listing.
///
/// Safe for many threads: two threads may both serialize it, with the same result.
public final class ToolDefinitionList {
  public static final ToolDefinitionList EMPTY = new ToolDefinitionList(List.of());

  private static final String OUTPUT_SCHEMA = "outputSchema";

  private final List<ObjectNode> cards;
  private volatile @Nullable RawValue written;
  private volatile @Nullable ToolDefinitionList withoutOutput;

  public ToolDefinitionList(List<ObjectNode> cards) {
    this.cards = List.copyOf(cards);
  }

  public List<ObjectNode> cards() {
    return cards;
  }

  /// The same definitions without output schemas, which most clients pass on to the model although
  /// it does not need them.
  public ToolDefinitionList withoutOutputSchemas() {
    ToolDefinitionList ready = withoutOutput;
    if (ready == null) {
      boolean hasSome = cards.stream().anyMatch(card -> card.has(OUTPUT_SCHEMA));
      ready =
          hasSome
              ? new ToolDefinitionList(
                  cards.stream().map(ToolDefinitionList::withoutOutput).toList())
              : this;
      withoutOutput = ready;
    }
    return ready;
  }

  private static ObjectNode withoutOutput(ObjectNode card) {
    ObjectNode copy = Json.object().setAll(card);
    copy.remove(OUTPUT_SCHEMA);
    return copy;
  }

  /// The whole list as JSON.
  public RawValue written() {
    RawValue ready = written;
    if (ready == null) {
      ready = Json.written(cards);
      written = ready;
    }
    return ready;
  }
}
