package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.MessagePart;
import java.io.IOException;
import java.util.Optional;

/// Delivers a message that has no response: a notification, or the client's response to a request
/// of the daemon.
///
/// If the connection breaks, it is sent once more and then dropped.
final class NotificationDelivery {
  private final BridgeEnds ends;
  private final BridgeMessage message;

  NotificationDelivery(BridgeEnds ends, BridgeMessage message) {
    this.ends = ends;
    this.message = message;
  }

  void run() {
    for (int attempt = 0; attempt < 2; attempt++) {
      Optional<SocketConnection> connection = ends.daemon().tryConnect();
      if (connection.isEmpty() || isDelivered(connection.get())) {
        return;
      }
    }
  }

  private boolean isDelivered(SocketConnection connection) {
    try {
      RequestHead head = ends.credential().head(connection);
      if (message.isModern()) {
        head.with("MCP-Protocol-Version", message.text(MessagePart.MODERN_VERSION))
            .with("Mcp-Method", message.method());
      } else {
        ends.session().current(connection).show(head);
      }
      DaemonReply reply = connection.send(head, message.bytes());
      reply.body();
      ends.daemon().release(connection, reply);
      return true;
    } catch (IOException _) {
      connection.close();
      ends.daemon().closeIdle();
      return false;
    } catch (BridgeError _) {
      // A notification has no response, so the error cannot be reported.
      connection.close();
      return true;
    }
  }
}
