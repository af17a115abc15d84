package dev.substrat.store;

import dev.substrat.log.Log;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.PGConnection;

/// Waits for NOTIFY on a connection of its own and comes back after it was lost.
///
/// It only wakes: whoever is woken looks into the database, so a missed notification costs time,
/// never an event.
final class PostgresListener implements AutoCloseable {
  private static final Log LOG = Log.of(PostgresListener.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String url;
  private final String channel;
  private final Runnable wake;
  private final Thread thread;
  private volatile boolean closing;

  PostgresListener(String url, String channel, Runnable wake) {
    this.url = url;
    this.channel = channel;
    this.wake = wake;
    this.thread = Thread.ofVirtual().name("listen-" + channel).start(this::work);
  }

  private void work() {
    while (!closing) {
      try (Connection connection = DriverManager.getConnection(url);
          var statement = connection.createStatement()) {
        statement.execute("listen " + channel);
        wake.run();
        wait(connection.unwrap(PGConnection.class));
      } catch (SQLException e) {
        if (!closing) {
          LOG.warn("lost the listening connection", "channel", channel, "reason", e.getMessage());
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }

  private void wait(PGConnection connection) throws SQLException {
    while (!closing) {
      // The timeout is how long closing may take at most, not a poll.
      if (connection.getNotifications((int) PAUSE.toMillis()).length > 0) {
        wake.run();
      }
    }
  }

  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
