package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Channel to a client while its request is being processed.
public interface ClientChannel {
  McpClientInfo client();

  /// What the request says about itself, such as ids of the client's own.
  ObjectNode meta();

  /// The same key again is the same request again.
  @Nullable String idempotencyKey();

  /// What the client answered to the questions of an earlier round, under their names.
  ObjectNode answers();

  /// What was to be remembered from the earlier round; empty in the first.
  ObjectNode state();

  /// Does `work` as soon as the client does not want the answer any more.
  void whenGone(Runnable work);

  /// From now on finds out by itself whether the client may still have the answer: what takes long
  /// is not gone on with for a turn that is over or a token that was revoked.
  void watch();

  /// Says how far the work is, to a client that wants to know; a `total` of 0 is not known.
  void progress(double done, double total, String message);

  /// Tells a client something that it may show or keep.
  void log(McpLogLevel level, JsonNode data);
}
