package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Pending call as its MCP client sees it. `detail` depends on the status: the `result`, the
/// `error`, or the open `inputRequests`.
public record McpTask(
    String id,
    TaskStatus status,
    @Nullable String message,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Duration ttl,
    ObjectNode detail) {

  /// Short enough for a person who waits, long enough for a task that takes hours.
  private static final Duration POLL = Duration.ofSeconds(2);

  /// Status of a task.
  public enum TaskStatus {
    WORKING("working"),
    INPUT_REQUIRED("input_required"),
    COMPLETED("completed"),
    FAILED("failed"),
    CANCELLED("cancelled");

    private final String word;

    TaskStatus(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /// Short form, in the response that creates it.
  public ObjectNode brief() {
    var json = Json.object().put("taskId", id).put("status", status.toString());
    if (message != null) {
      json.put("statusMessage", message);
    }
    json.put("createdAt", createdAt.toString()).put("lastUpdatedAt", updatedAt.toString());
    json.set("ttlMs", ttl == null ? json.nullNode() : json.numberNode(ttl.toMillis()));
    return json.put("pollIntervalMs", POLL.toMillis());
  }

  /// The complete current state.
  public ObjectNode full() {
    ObjectNode json = brief();
    json.setAll(detail);
    return json;
  }
}
