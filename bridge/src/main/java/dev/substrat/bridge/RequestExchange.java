package dev.substrat.bridge;

import dev.substrat.bridge.json.BridgeMessage;
import dev.substrat.bridge.json.JsonRpcMessages;
import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sends a request of the client until it has a response. If the connection to the daemon breaks,
/// the request is sent again with the same idempotency key.
///
/// Runs on its own thread. Only [#cancel] is called from others.
final class RequestExchange {
  private static final String LISTEN = "subscriptions/listen";
  private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

  /// Maximum number of lost connections: the request itself may crash the daemon.
  private static final int MAX_CONNECTION_LOSSES = 5;

  private static final Duration STOPPING_PAUSE = Duration.ofMillis(100);

  private final BridgeContext ends;
  private final BridgeMessage request;
  private final boolean isListening;
  private boolean acknowledged;
  private boolean renewed;
  private int losses;
  private long stoppingSince;
  private volatile boolean cancelled;
  private volatile @Nullable SocketConnection current;

  RequestExchange(BridgeContext ends, BridgeMessage request) {
    this.ends = ends;
    this.request = request;
    this.isListening = request.isModern() && request.method().equals(LISTEN);
  }

  boolean isListening() {
    return isListening;
  }

  boolean isModern() {
    return request.isModern();
  }

  /// Cancels the request. In the modern protocol, closing the stream notifies the daemon. In the
  /// legacy protocol the client's notification does, and the daemon may still respond.
  void cancel() {
    cancelled = true;
    SocketConnection connection = current;
    if (connection != null && isModern()) {
      connection.close();
    }
  }

  void run() throws InterruptedException {
    try {
      boolean isDone = false;
      while (!isDone && !cancelled) {
        isDone = attempt();
      }
    } catch (BridgeError refusal) {
      if (!cancelled) {
        ends.client().send(JsonRpcMessages.error(request.id(), refusal));
      }
    }
  }

  private boolean attempt() throws InterruptedException {
    Optional<SocketConnection> found = isPing() ? ends.daemon().tryConnect() : Optional.empty();
    if (isPing() && found.isEmpty()) {
      // The bridge answers a ping without a daemon.
      ends.client().send(JsonRpcMessages.result(request.id(), "{}"));
      return true;
    }
    SocketConnection connection =
        found.isPresent() ? found.get() : ends.daemon().await(ends.timeouts().daemonWait());
    current = connection;
    try {
      if (cancelled) {
        connection.close();
        return true;
      }
      return ask(connection);
    } catch (IOException _) {
      connection.close();
      lost();
      return false;
    } catch (BridgeError refusal) {
      connection.close();
      throw refusal;
    } finally {
      current = null;
    }
  }

  private boolean isPing() {
    return !isModern() && request.method().equals("ping");
  }

  private void lost() throws InterruptedException {
    ends.daemon().closeIdle();
    renewed = false;
    if (++losses > MAX_CONNECTION_LOSSES) {
      throw new BridgeError(
          "DAEMON_UNREACHABLE",
          "the connection to the daemon broke " + losses + " times during this request",
          "check the daemon's log before you try again");
    }
    Thread.sleep(10L << losses);
  }

  private boolean ask(SocketConnection connection) throws IOException, InterruptedException {
    RequestHeadBuilder head =
        ends.credential().head(connection).with("Idempotency-Key", ends.keys().of(request.id()));
    BridgeSession.SessionHeaders pass =
        isModern() ? BridgeSession.SessionHeaders.NONE : ends.session().current(connection);
    if (isModern()) {
      head.with("MCP-Protocol-Version", request.text(MessageField.MODERN_VERSION))
          .with("Mcp-Method", request.method())
          .withName("Mcp-Name", request.subject());
    }
    pass.show(head);
    DaemonReply reply = connection.send(head, request.bytes());
    return reply.status() == 200 ? hear(connection, reply) : refused(connection, reply, pass);
  }

  private boolean hear(SocketConnection connection, DaemonReply reply)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    RawJsonObject answer = ResponseReader.read(reply, request.id(), this::pass);
    if (ResponseReader.isStopping(Optional.of(answer))) {
      return leave(connection);
    }
    // A stopping daemon ends subscriptions. The client's subscription continues with the next
    // daemon.
    long lasted = System.nanoTime() - start;
    boolean isGoodbye =
        isListening
            && answer.has(MessageField.RESULT)
            && lasted > ends.timeouts().stableStream().toNanos();
    if (!isGoodbye) {
      ends.client().send(answer.bytes());
    }
    ends.daemon().release(connection, reply);
    return !isGoodbye;
  }

  /// Waits for the next daemon, as after a lost connection.
  private boolean leave(SocketConnection connection) throws InterruptedException {
    connection.close();
    ends.daemon().closeIdle();
    long now = System.nanoTime();
    stoppingSince = stoppingSince == 0 ? now : stoppingSince;
    if (now - stoppingSince > ends.timeouts().daemonWait().toNanos()) {
      throw new BridgeError(
          "STOPPING", "the daemon is stopping", "try again when the daemon is running again");
    }
    Thread.sleep(STOPPING_PAUSE);
    return false;
  }

  private void pass(RawJsonObject message) {
    losses = 0;
    if (isListening && ACKNOWLEDGED.equals(message.text(MessageField.METHOD))) {
      if (acknowledged) {
        return;
      }
      acknowledged = true;
    }
    ends.client().send(message.bytes());
  }

  private boolean refused(
      SocketConnection connection, DaemonReply reply, BridgeSession.SessionHeaders pass)
      throws IOException, InterruptedException {
    if (reply.status() == 401) {
      throw ends.credential().refused(reply);
    }
    Optional<RawJsonObject> body = RawJsonObject.parse(reply.body());
    if (ResponseReader.isStopping(body)) {
      return leave(connection);
    }
    ends.daemon().release(connection, reply);
    boolean isForgotten =
        reply.status() == 404 && pass.id() != null && !ResponseReader.isUnknownMethod(body);
    if (isForgotten && !renewed) {
      renewed = true;
      ends.session().markUnknown(pass);
      return false;
    }
    ends.client().send(ResponseReader.error(request.id(), reply.status(), body));
    return true;
  }
}
