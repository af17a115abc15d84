package dev.substrat.bridge;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// Closes the MCP session at the daemon, if there is one and the daemon is reachable.
final class SessionClose {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final BridgeEnds ends;

  SessionClose(BridgeEnds ends) {
    this.ends = ends;
  }

  void send() throws InterruptedException {
    Optional<BridgeSession.Pass> session = ends.session().sessionToClose();
    Optional<SocketConnection> connection =
        session.isEmpty() ? Optional.empty() : ends.daemon().tryConnect();
    if (session.isEmpty() || connection.isEmpty()) {
      return;
    }
    Thread.ofVirtual().start(() -> send(connection.get(), session.get())).join(LONGEST);
  }

  private void send(SocketConnection connection, BridgeSession.Pass session) {
    try (connection) {
      RequestHead head =
          session.show(new RequestHead("DELETE", "/mcp", ends.credential().token(connection)));
      connection.send(head, new byte[0]);
    } catch (IOException | BridgeError _) {
      // The session expires anyway.
    }
  }
}
