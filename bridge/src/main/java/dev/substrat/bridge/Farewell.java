package dev.substrat.bridge;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// Tells the daemon that the session is over, if there was one and somebody is there to hear it.
final class Farewell {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final Ends ends;

  Farewell(Ends ends) {
    this.ends = ends;
  }

  void say() throws InterruptedException {
    Optional<Session.Pass> session = ends.session().standing();
    Optional<Connection> connection = session.isEmpty() ? Optional.empty() : ends.door().knock();
    if (session.isEmpty() || connection.isEmpty()) {
      return;
    }
    Thread.ofVirtual().start(() -> say(connection.get(), session.get())).join(LONGEST);
  }

  private void say(Connection connection, Session.Pass session) {
    try (connection) {
      Head head = session.show(new Head("DELETE", "/mcp", ends.credential().token(connection)));
      connection.ask(head, new byte[0]);
    } catch (IOException | Refusal _) {
      // It ends one way or the other.
    }
  }
}
