package dev.substrat.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.substrat.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cards in an order that does not change. They are put into words once, so whoever shows the same
/// cards often shows the same listing.
///
/// Safe for many threads; two that come first at once may both write it, to the same result.
public final class Listing {
  public static final Listing EMPTY = new Listing(List.of());

  private final List<ObjectNode> cards;
  private volatile @Nullable RawValue written;

  public Listing(List<ObjectNode> cards) {
    this.cards = List.copyOf(cards);
  }

  List<ObjectNode> cards() {
    return cards;
  }

  /// All of them, as they go over the wire.
  RawValue written() {
    RawValue ready = written;
    if (ready == null) {
      ready = Json.written(cards);
      written = ready;
    }
    return ready;
  }
}
