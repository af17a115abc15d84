package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.RemoteDeadline;

/// Transport to one server, for concurrent requests. Server messages that are not responses go to
/// the handler given at opening.
public interface McpTransport extends AutoCloseable {

  /// Waits for the response: a message with a `result` or an `error`.
  ObjectNode ask(McpRequest ask, RemoteDeadline deadline) throws InterruptedException;

  /// Sends a notification.
  void sendNotification(ObjectNode message, RemoteDeadline deadline);

  /// Sets the negotiated protocol for all later messages.
  void agreed(NegotiatedProtocol accord);

  /// Receives server messages until the stream ends. `ask` is the subscription request, in the era
  /// that has one. False if the transport receives them anyway.
  boolean listen(McpRequest ask) throws InterruptedException;

  /// True if closing the connection cancels the request.
  boolean cancelsByLeaving();

  /// False once no request can be sent.
  boolean isOpen();

  @Override
  void close();
}
