package dev.substrat.store.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Something that happened. `seq` is the order everyone sees; `agent` is whom it happened to,
/// `peer` the other one if there were two.
public record Event(
    long seq,
    Instant at,
    String kind,
    @Nullable String agent,
    @Nullable String peer,
    @Nullable String space,
    @Nullable String run,
    ObjectNode payload) {

  /// The same event with another payload.
  public Event with(ObjectNode other) {
    return new Event(seq, at, kind, agent, peer, space, run, other);
  }

  /// Which events somebody wants: all of them, or those about one agent, space or run.
  public record Filter(@Nullable String agent, @Nullable String space, @Nullable String run) {
    public static final Filter NONE = new Filter(null, null, null);
  }
}
