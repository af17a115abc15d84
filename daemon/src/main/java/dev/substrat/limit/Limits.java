package dev.substrat.limit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How much an agent may do; what is missing is generous. A child never gets more than its parent.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Limits(
    @JsonPropertyDescription("Messages it may send per minute (default 120).")
        @Nullable Integer messagesPerMinute,
    @JsonPropertyDescription("Tool calls per minute and tool (default 600).")
        @Nullable Integer callsPerMinute,
    @JsonPropertyDescription("Tool calls in one turn (default 200).")
        @Nullable Integer maxCallsPerTurn,
    @JsonPropertyDescription("Living children it may have spawned (default 8).")
        @Nullable Integer maxChildren,
    @JsonPropertyDescription("How deep the tree below a root may be (default 4).")
        @Nullable Integer maxDepth,
    @JsonPropertyDescription("Seconds a turn may take (default 600).")
        @Nullable Integer maxTurnSeconds) {

  public Limits {
    Stream.of(
            messagesPerMinute,
            callsPerMinute,
            maxCallsPerTurn,
            maxChildren,
            maxDepth,
            maxTurnSeconds)
        .filter(limit -> limit != null && limit < 1)
        .findAny()
        .ifPresent(limit -> {
          throw new Fault(
              ErrorCode.INVALID_CONFIG, "a limit cannot be " + limit, "limits are 1 or more");
        });
  }

  public static final Limits NONE = new Limits(null, null, null, null, null, null);

  public int messages() {
    return messagesPerMinute == null ? 120 : messagesPerMinute;
  }

  public int calls() {
    return callsPerMinute == null ? 600 : callsPerMinute;
  }

  public int callsPerTurn() {
    return maxCallsPerTurn == null ? 200 : maxCallsPerTurn;
  }

  public int children() {
    return maxChildren == null ? 8 : maxChildren;
  }

  public Duration turn() {
    return Duration.ofSeconds(maxTurnSeconds == null ? 600 : maxTurnSeconds);
  }

  public int depth() {
    return maxDepth == null ? 4 : maxDepth;
  }
}
