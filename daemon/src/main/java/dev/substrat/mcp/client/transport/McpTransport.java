package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.RemoteDeadline;

/// Transport to one server, for concurrent requests. Server messages that are not responses go to
/// the handler given at opening.
public interface McpTransport extends AutoCloseable {

  /// Waits for the answer: a message with a `result` or an `error`.
  ObjectNode ask(McpRequest ask, RemoteDeadline deadline) throws InterruptedException;

  /// Says something that wants no answer.
  void tell(ObjectNode message, RemoteDeadline deadline);

  /// What was agreed on; from here on everything is said accordingly.
  void agreed(NegotiatedProtocol accord);

  /// Hears what the server says unasked, for as long as that lasts. `ask` is the request that wants
  /// it, in the era that has one. False if from now on everything is heard anyway.
  boolean listen(McpRequest ask) throws InterruptedException;

  /// True if a request is cancelled by not waiting for it any more.
  boolean cancelsByLeaving();

  /// False once nothing can be asked any more.
  boolean isOpen();

  @Override
  void close();
}
