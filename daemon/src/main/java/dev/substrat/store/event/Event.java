package dev.substrat.store.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An event of the log. `seq` is its position; `agent` is the agent it is about, `peer` the other
/// one if there are two.
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

  /// Filter for events: all, or those of one agent, space or run.
  public record EventFilter(@Nullable String agent, @Nullable String space, @Nullable String run) {
    public static final EventFilter NONE = new EventFilter(null, null, null);
  }
}
