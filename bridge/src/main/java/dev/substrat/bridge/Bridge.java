package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcText;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Reads the client's messages and handles each on its own thread.
final class Bridge {
  private static final String INITIALIZE = "initialize";
  private static final String INITIALIZED = "notifications/initialized";
  private static final String CANCELLED = "notifications/cancelled";

  private final LineReader lines;
  private final BridgeEnds ends;
  private final ServerStream stream;
  private final InFlightLimit inFlight = new InFlightLimit();

  /// Opened when the last message that must not be overtaken has been sent.
  private CountDownLatch gate = new CountDownLatch(0);

  Bridge(InputStream in, BridgeEnds ends) {
    this.lines = new LineReader(in);
    this.ends = ends;
    this.stream = new ServerStream(ends);
  }

  /// Runs until the client closes its output.
  void run() throws IOException, InterruptedException {
    for (LineReader.Next next = lines.next();
        !(next instanceof LineReader.Next.End);
        next = lines.next()) {
      if (next instanceof LineReader.Next.Line whole) {
        take(whole.bytes());
      } else {
        ends.client()
            .send(
                JsonRpcText.error(
                    "null",
                    JsonRpcText.INVALID_REQUEST,
                    "a message may have at most "
                        + LineReader.LONGEST
                        + " bytes; this one was skipped"));
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
              JsonRpcText.error("null", JsonRpcText.PARSE_ERROR, "the line is not a JSON object"));
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
                  JsonRpcText.error(
                      message.id(),
                      JsonRpcText.INVALID_REQUEST,
                      "not a JSON-RPC request, notification or response"));
    }
  }

  private void request(BridgeMessage message) throws InterruptedException {
    if (message.method().equals(INITIALIZE) && !message.isModern()) {
      ends.keys().renew();
      start(message, new InitializeRequest(ends, message)::run, true);
      return;
    }
    var exchange = new RequestExchange(ends, message);
    if (!inFlight.add(message.id(), exchange)) {
      ends.client()
          .send(
              JsonRpcText.error(
                  message.id(),
                  JsonRpcText.INVALID_REQUEST,
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
  private interface Way {
    void go() throws InterruptedException;
  }

  private void start(BridgeMessage message, Way way, boolean isFirst) throws InterruptedException {
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
}
