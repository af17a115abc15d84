package dev.substrat.bridge;

import dev.substrat.bridge.json.Message;
import dev.substrat.bridge.json.Part;
import java.io.IOException;
import java.util.Optional;

/// A message that has no answer: a notification, or the client's response to something it was
/// asked.
///
/// Sent once more if the daemon went away, and then forgotten: a daemon that is not there has
/// nobody whom it concerns.
final class Delivery {
  private final Ends ends;
  private final Message message;

  Delivery(Ends ends, Message message) {
    this.ends = ends;
    this.message = message;
  }

  void run() {
    for (int attempt = 0; attempt < 2; attempt++) {
      Optional<Connection> connection = ends.door().knock();
      if (connection.isEmpty() || isDelivered(connection.get())) {
        return;
      }
    }
  }

  private boolean isDelivered(Connection connection) {
    try {
      Head head = ends.credential().head(connection);
      if (message.isModern()) {
        head.with("MCP-Protocol-Version", message.text(Part.MODERN_VERSION))
            .with("Mcp-Method", message.method());
      } else {
        ends.session().pass(connection).show(head);
      }
      Reply reply = connection.ask(head, message.bytes());
      reply.body();
      ends.door().giveBack(connection, reply);
      return true;
    } catch (IOException _) {
      connection.close();
      ends.door().forgetIdle();
      return false;
    } catch (Refusal _) {
      // Nobody waits for an answer, so nobody can be told.
      connection.close();
      return true;
    }
  }
}
