package dev.substrat.bridge;

import dev.substrat.bridge.json.JsonRpc;
import dev.substrat.bridge.json.Message;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/// Reads the client's messages and lets each go its own way, so that none waits for another.
final class Bridge {
  private static final String INITIALIZE = "initialize";
  private static final String INITIALIZED = "notifications/initialized";
  private static final String CANCELLED = "notifications/cancelled";

  private final Lines lines;
  private final Ends ends;
  private final ServerStream stream;
  private final InFlight inFlight = new InFlight();

  /// Opened when the last message that others must not overtake has gone.
  private CountDownLatch gate = new CountDownLatch(0);

  Bridge(InputStream in, Ends ends) {
    this.lines = new Lines(in);
    this.ends = ends;
    this.stream = new ServerStream(ends);
  }

  /// Until the client closes its end.
  void run() throws IOException, InterruptedException {
    for (Lines.Next next = lines.next(); !(next instanceof Lines.Next.End); next = lines.next()) {
      if (next instanceof Lines.Next.Line whole) {
        take(whole.bytes());
      } else {
        ends.client()
            .send(
                JsonRpc.error(
                    "null",
                    JsonRpc.INVALID_REQUEST,
                    "a message may have "
                        + Lines.LONGEST
                        + " bytes at most; this one was skipped"));
      }
    }
    inFlight.awaitQuiet(ends.patience().farewell());
    new Farewell(ends).say();
  }

  private void take(byte[] bytes) throws InterruptedException {
    Optional<Message> parsed = Message.parse(bytes);
    if (parsed.isEmpty()) {
      ends.client()
          .send(JsonRpc.error("null", JsonRpc.PARSE_ERROR, "this line is not a JSON object"));
      return;
    }
    Message message = parsed.get();
    switch (message.kind()) {
      case REQUEST -> request(message);
      case NOTIFICATION -> notification(message);
      case RESPONSE -> start(message, new Delivery(ends, message)::run, false);
      case NONSENSE ->
          ends.client()
              .send(
                  JsonRpc.error(
                      message.id(),
                      JsonRpc.INVALID_REQUEST,
                      "neither a request nor a notification nor a response"));
    }
  }

  private void request(Message message) throws InterruptedException {
    if (message.method().equals(INITIALIZE) && !message.isModern()) {
      ends.keys().renew();
      start(message, new Greeting(ends, message)::run, true);
      return;
    }
    var exchange = new Exchange(ends, message);
    if (!inFlight.add(message.id(), exchange)) {
      ends.client()
          .send(
              JsonRpc.error(
                  message.id(), JsonRpc.INVALID_REQUEST, "a request with this id is under way"));
      return;
    }
    start(message, () -> exchange(message.id(), exchange), false);
  }

  private void exchange(String id, Exchange exchange) throws InterruptedException {
    if (exchange.isListening()) {
      inFlight.lasts();
    }
    try {
      exchange.run();
    } finally {
      inFlight.remove(id);
      if (exchange.isListening()) {
        inFlight.ends();
      }
    }
  }

  private void notification(Message message) throws InterruptedException {
    switch (message.method()) {
      case INITIALIZED -> start(message, () -> initialized(message), true);
      case CANCELLED -> cancelled(message);
      default -> start(message, new Delivery(ends, message)::run, false);
    }
  }

  private void initialized(Message message) throws InterruptedException {
    // If the daemon has not met the client yet, meeting it says this, too.
    if (ends.session().isOpen()) {
      new Delivery(ends, message).run();
    }
    stream.open();
  }

  private void cancelled(Message message) throws InterruptedException {
    String id = message.cancelled();
    Optional<Exchange> exchange = id == null ? Optional.empty() : inFlight.find(id);
    if (exchange.isPresent()) {
      exchange.get().cancel();
    }
    boolean isLegacy = exchange.isPresent() ? !exchange.get().isModern() : !message.isModern();
    if (isLegacy && ends.session().isOpen()) {
      start(message, new Delivery(ends, message)::run, false);
    }
  }

  /// A way that a message takes.
  private interface Way {
    void go() throws InterruptedException;
  }

  private void start(Message message, Way way, boolean isFirst) throws InterruptedException {
    int bytes = message.bytes().length;
    inFlight.enter(bytes);
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
            inFlight.leave(bytes);
          }
        };
    // The first virtual thread of a process costs milliseconds; nobody should wait for them who
    // waits
    // for the answer to `initialize`.
    (isFirst ? Thread.ofPlatform().daemon() : Thread.ofVirtual()).start(journey);
  }
}
