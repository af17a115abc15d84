package dev.substrat.store;

import dev.substrat.platform.log.Log;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/// Receives NOTIFY on a separate connection and reconnects after it was lost.
///
/// A notification only wakes a reader of the database, so a missed one costs time, never an event.
final class PostgresListener implements AutoCloseable {
  private static final Log LOG = Log.of(PostgresListener.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /// Number of idle pauses before the connection is checked.
  private static final int CHECK_AFTER = 30;

  private final String url;
  private final String channel;
  private final Consumer<String> heard;
  private final Properties login = new Properties();
  private final Thread thread;
  private volatile boolean closing;

  /// Belongs to the listening thread.
  private boolean lost;

  PostgresListener(String url, String channel, Consumer<String> heard) {
    this.url = url;
    this.channel = channel;
    this.heard = heard;
    login.putAll(PostgresDatabase.login());
    this.thread = Thread.ofVirtual().name("listen-" + channel).start(this::work);
  }

  private void work() {
    while (!closing) {
      try (Connection connection = DriverManager.getConnection(url, login);
          var statement = connection.createStatement()) {
        statement.execute("listen " + channel);
        lost = false;
        heard.accept("");
        listen(connection);
      } catch (SQLException | RuntimeException e) {
        if (!closing) {
          report(e);
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    PGConnection notified = connection.unwrap(PGConnection.class);
    int silent = 0;
    while (!closing) {
      // The timeout is how long closing may take at most, not a poll.
      PGNotification[] news = notified.getNotifications((int) PAUSE.toMillis());
      if (news.length > 0) {
        silent = 0;
        // Equal ones once.
        Stream.of(news).map(PGNotification::getParameter).distinct().forEach(heard);
      } else if (++silent % CHECK_AFTER == 0 && !connection.isValid((int) TIMEOUT.toSeconds())) {
        // Without a response, a dead server cannot be distinguished from an idle one.
        throw new SQLException("the server does not respond");
      }
    }
  }

  /// Once per outage, which may take long.
  private void report(Exception reason) {
    if (!lost) {
      LOG.warn("lost the LISTEN connection", "channel", channel, "reason", reason.getMessage());
    }
    lost = true;
  }

  @Override
  public void close() {
    closing = true;
    // Closes the connection it waits on.
    thread.interrupt();
    UninterruptibleWait.join(thread);
  }
}
