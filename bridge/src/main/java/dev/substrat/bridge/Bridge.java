package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcMessages;
import dev.substrat.bridge.json.MessageField;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Reads the client's messages and handles each on its own thread.
final class Bridge {
  private static final String INITIALIZE = "initialize";
  private static final String INITIALIZED = "notifications/initialized";
  private static final String CANCELLED = "notifications/cancelled";

  private final LineReader lines;
  private final BridgeContext ends;
  private final ServerNotificationStream stream;
  private final InFlightLimit inFlight = new InFlightLimit();

  /// Opened when the last message that must not be overtaken has been sent.
  private CountDownLatch gate = new CountDownLatch(0);

  Bridge(InputStream in, BridgeContext ends) {
    this.lines = new LineReader(in);
    this.ends = ends;
    this.stream = new ServerNotificationStream(ends);
  }

  /// Runs until the client closes its output.
  void run() throws IOException, InterruptedException {
    for (LineReader.ReadResult next = lines.next();
        !(next instanceof LineReader.ReadResult.EndOfInput);
        next = lines.next()) {
      if (next instanceof LineReader.ReadResult.CompleteLine whole) {
        take(whole.bytes());
      } else {
        ends.client()
            .send(
                JsonRpcMessages.error(
                    "null",
                    JsonRpcMessages.INVALID_REQUEST,
                    "a message may have at most "
                        + LineReader.MAX_LENGTH
                        + " bytes; this message was skipped"));
      }
    }
    inFlight.awaitIdle(ends.timeouts().shutdownWait());
    new SessionClose(ends).send();
  }

  private void take(byte[] bytes) throws InterruptedException {
    Optional<BridgeMessage> parsed = BridgeMessage.parse(bytes);
    if (parsed.isEmpty()) {
      ends.client()
          .send(
              JsonRpcMessages.error(
                  "null", JsonRpcMessages.PARSE_ERROR, "the line is not a JSON object"));
      return;
    }
    BridgeMessage message = parsed.get();
    switch (message.kind()) {
      case REQUEST -> request(message);
      case NOTIFICATION -> notification(message);
      case RESPONSE -> start(message, new NotificationDelivery(ends, message)::run, false);
      case NONSENSE ->
          ends.client()
              .send(
                  JsonRpcMessages.error(
                      message.id(),
                      JsonRpcMessages.INVALID_REQUEST,
                      "not a JSON-RPC request, notification or response"));
    }
  }

  private void request(BridgeMessage message) throws InterruptedException {
    if (message.method().equals(INITIALIZE) && !message.isModern()) {
      ends.keys().renew();
      start(message, new InitializeHandler(ends, message)::run, true);
      return;
    }
    var exchange = new RequestExchange(ends, message);
    if (!inFlight.add(message.id(), exchange)) {
      ends.client()
          .send(
              JsonRpcMessages.error(
                  message.id(),
                  JsonRpcMessages.INVALID_REQUEST,
                  "a request with this id is already in progress"));
      return;
    }
    start(message, () -> exchange(message.id(), exchange), false);
  }

  private void exchange(String id, RequestExchange exchange) throws InterruptedException {
    if (exchange.isListening()) {
      inFlight.markSubscription();
    }
    try {
      exchange.run();
    } finally {
      inFlight.remove(id);
      if (exchange.isListening()) {
        inFlight.unmarkSubscription();
      }
    }
  }

  private void notification(BridgeMessage message) throws InterruptedException {
    switch (message.method()) {
      case INITIALIZED -> start(message, () -> initialized(message), true);
      case CANCELLED -> cancelled(message);
      default -> start(message, new NotificationDelivery(ends, message)::run, false);
    }
  }

  private void initialized(BridgeMessage message) throws InterruptedException {
    // Without a session, initializing one includes this notification.
    if (ends.session().isOpen()) {
      new NotificationDelivery(ends, message).run();
    }
    stream.open();
  }

  private void cancelled(BridgeMessage message) throws InterruptedException {
    String id = message.cancelled();
    Optional<RequestExchange> exchange = id == null ? Optional.empty() : inFlight.find(id);
    if (exchange.isPresent()) {
      exchange.get().cancel();
    }
    boolean isLegacy = exchange.isPresent() ? !exchange.get().isModern() : !message.isModern();
    if (isLegacy && ends.session().isOpen()) {
      start(message, new NotificationDelivery(ends, message)::run, false);
    }
  }

  /// Handler of a message.
  private interface MessageHandler {
    void go() throws InterruptedException;
  }

  private void start(BridgeMessage message, MessageHandler way, boolean isFirst)
      throws InterruptedException {
    int bytes = message.bytes().length;
    inFlight.acquire(bytes);
    CountDownLatch before = gate;
    var after = new CountDownLatch(isFirst ? 1 : 0);
    if (isFirst) {
      gate = after;
    }
    Runnable journey =
        () -> {
          try {
            before.await();
            way.go();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          } finally {
            after.countDown();
            inFlight.release(bytes);
          }
        };
    // The first virtual thread of a process takes milliseconds to start, which would delay
    // `initialize`.
    (isFirst ? Thread.ofPlatform().daemon() : Thread.ofVirtual()).start(journey);
  }

  /// Delivers a message that has no response: a notification, or the client's response to a request
  /// of the daemon.
  ///
  /// If the connection breaks, it is sent once more and then dropped.
  private record NotificationDelivery(BridgeContext ends, BridgeMessage message) {

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
        RequestHeadBuilder head = ends.credential().head(connection);
        if (message.isModern()) {
          head.with("MCP-Protocol-Version", message.text(MessageField.MODERN_VERSION))
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

  /// Closes the MCP session at the daemon, if there is one and the daemon is reachable.
  private record SessionClose(BridgeContext ends) {
    private static final Duration LONGEST = Duration.ofSeconds(1);

    void send() throws InterruptedException {
      Optional<BridgeSession.SessionHeaders> session = ends.session().sessionToClose();
      Optional<SocketConnection> connection =
          session.isEmpty() ? Optional.empty() : ends.daemon().tryConnect();
      if (session.isEmpty() || connection.isEmpty()) {
        return;
      }
      Thread.ofVirtual().start(() -> send(connection.get(), session.get())).join(LONGEST);
    }

    private void send(SocketConnection connection, BridgeSession.SessionHeaders session) {
      try (connection) {
        RequestHeadBuilder head =
            session.show(
                new RequestHeadBuilder("DELETE", "/mcp", ends.credential().token(connection)));
        connection.send(head, new byte[0]);
      } catch (IOException | BridgeError _) {
        // The session expires anyway.
      }
    }
  }

  /// Limit on requests in flight.
  ///
  /// Limits bytes, not messages: 16 MB in total; each message counts as at least 1/256 of that. If
  /// the limit is reached, the bridge stops reading from the client. Thread-safe.
  private static final class InFlightLimit {
    private static final long CAPACITY = 2L * LineReader.MAX_LENGTH;
    private static final long LEAST = CAPACITY / 256;

    private final Map<String, RequestExchange> requests = new HashMap<>();
    private long used;

    /// Number of requests that shutdown waits for.
    private int awaited;

    /// Waits until the message fits into the limit.
    synchronized void acquire(int bytes) throws InterruptedException {
      while (used + cost(bytes) > CAPACITY) {
        wait();
      }
      used += cost(bytes);
      awaited++;
    }

    synchronized void release(int bytes) {
      used -= cost(bytes);
      awaited--;
      notifyAll();
    }

    /// Marks a long-lived subscription, which shutdown does not wait for.
    synchronized void markSubscription() {
      awaited--;
      notifyAll();
    }

    /// Reverts the mark, before the request ends.
    synchronized void unmarkSubscription() {
      awaited++;
    }

    private static long cost(int bytes) {
      return Math.max(LEAST, bytes);
    }

    /// False if a request with this id is already in flight.
    synchronized boolean add(String id, RequestExchange exchange) {
      return requests.putIfAbsent(id, exchange) == null;
    }

    synchronized void remove(String id) {
      requests.remove(id);
    }

    synchronized Optional<RequestExchange> find(String id) {
      return Optional.ofNullable(requests.get(id));
    }

    /// Waits until no request is in flight, except subscriptions, or until the timeout.
    synchronized void awaitIdle(Duration patience) throws InterruptedException {
      long end = System.nanoTime() + patience.toNanos();
      for (long left = patience.toMillis(); awaited > 0 && left > 0; ) {
        wait(left);
        left = (end - System.nanoTime()) / 1_000_000;
      }
    }
  }
}
