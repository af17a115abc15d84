package dev.substrat.bridge;

import java.io.IOException;
import java.time.Duration;

/// Stream of server notifications in the legacy protocol: one per session, reopened when it ends.
///
/// It also keeps the session alive, and creates it for a client that started before the daemon.
final class ServerNotificationStream {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration FOREVER = Duration.ofDays(365);

  private final BridgeContext ends;
  private boolean running;
  private boolean heard;
  private boolean renewed;

  ServerNotificationStream(BridgeContext ends) {
    this.ends = ends;
  }

  /// Opens the stream, unless it is open.
  synchronized void open() {
    if (!running) {
      running = true;
      Thread.ofVirtual().start(this::run);
    }
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    try {
      while (listen()) {
        pause = heard ? FIRST_PAUSE : DaemonConnectionPool.longer(pause, MAX_PAUSE);
        heard = false;
        Thread.sleep(pause);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      synchronized (this) {
        running = false;
      }
    }
  }

  /// Reads one stream to its end; false if it should not be reopened.
  private boolean listen() throws InterruptedException {
    SocketConnection connection = ends.daemon().await(FOREVER);
    try (connection) {
      BridgeSession.SessionHeaders pass = ends.session().current(connection);
      RequestHeadBuilder head =
          pass.show(new RequestHeadBuilder("GET", "/mcp", ends.credential().token(connection)))
              .with("Accept", "text/event-stream");
      DaemonReply reply = connection.send(head, new byte[0]);
      if (reply.status() == 404 && pass.id() != null && !renewed) {
        renewed = true;
        ends.session().markUnknown(pass);
        return true;
      }
      if (reply.status() == 503) {
        return true;
      }
      if (reply.status() != 200 || !reply.isStream()) {
        return false;
      }
      renewed = false;
      pass(new SseEventReader(reply));
      return true;
    } catch (IOException _) {
      ends.daemon().closeIdle();
      return true;
    } catch (BridgeError _) {
      // The next request reports the error.
      return false;
    }
  }

  private void pass(SseEventReader events) throws IOException {
    for (byte[] event = events.next(); event != null; event = events.next()) {
      heard = true;
      ends.client().send(ResponseReader.message(event).bytes());
    }
  }
}
