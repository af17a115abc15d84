package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Channel to a client while its request is being processed.
public interface ClientChannel {
  McpClientInfo client();

  /// Metadata of the request, such as ids of the client.
  ObjectNode meta();

  /// A request with the same key is a repetition.
  @Nullable String idempotencyKey();

  /// Answers of the client to requests of an earlier round, by name.
  ObjectNode answers();

  /// State of the earlier round; empty in the first.
  ObjectNode state();

  /// Runs `work` as soon as the client cancels or disconnects.
  void whenGone(Runnable work);

  /// Starts to check access periodically: a long request is cancelled if its turn has ended or its
  /// token was revoked.
  void watch();

  /// Sends progress to a client that asked for it; a `total` of 0 is unknown.
  void progress(double done, double total, String message);

  /// Sends a log message to the client.
  void log(McpLogLevel level, JsonNode data);
}
