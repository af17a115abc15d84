package dev.substrat.http.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// A connection whose client has limited time to send the head of a request: request line and
/// headers.
///
/// The time of the first request starts with the connection, that of a later one with its first
/// byte, because a connection may be idle between requests. Everything runs on the thread of the
/// connection.
final class RequestHeadTimeout implements ConnectionContext {
  private final ConnectionContext inner;
  private final SocketTimeouts deadlines;
  private final Duration timeout;
  private final DataReader reader;
  private SocketTimeouts.@Nullable SocketDeadline head;
  private boolean isInRequest;

  RequestHeadTimeout(ConnectionContext inner, SocketTimeouts deadlines, Duration timeout) {
    this.inner = inner;
    this.deadlines = deadlines;
    this.timeout = timeout;
    this.reader = DataReader.create(this::pull);
    headBegins();
  }

  private byte[] pull() {
    DataReader source = inner.dataReader();
    if (reader.available() > 0) {
      // The head started in the same packet as the previous request.
      headBegins();
    }
    try {
      source.ensureAvailable();
    } catch (RuntimeException e) {
      // The client disconnected, or the time is up.
      headEnds();
      throw e;
    }
    headBegins();
    return source.readBytes(source.available());
  }

  void headBegins() {
    if (!isInRequest && head == null) {
      head = deadlines.within(timeout);
    }
  }

  void headEnds() {
    isInRequest = true;
    if (head != null) {
      head.close();
      head = null;
    }
  }

  void requestEnds() {
    isInRequest = false;
  }

  /// Creates HTTP/1.1 connections with a timeout.
  record HeadTimeoutSelector(ServerConnectionSelector inner, ClientConnection wire)
      implements ServerConnectionSelector {
    @Override
    public int bytesToIdentifyConnection() {
      return inner.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
      return inner.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
      return inner.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
      RequestHeadTimeout timed = wire.timed(context);
      return new TimedServerConnection(inner.connection(timed), timed);
    }
  }

  /// Stops the timeout when the connection ends. A malformed head has no other end, and a deadline
  /// would keep the thread and its state in memory.
  private record TimedServerConnection(ServerConnection inner, RequestHeadTimeout timed)
      implements ServerConnection, InterruptableTask<Void> {
    @Override
    public void handle(Limit limit) throws InterruptedException {
      try {
        inner.handle(limit);
      } finally {
        timed.headEnds();
      }
    }

    @Override
    public boolean canInterrupt() {
      return inner instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    @Override
    public Duration idleTime() {
      return inner.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      inner.close(interrupt);
    }
  }

  @Override
  public DataReader dataReader() {
    return reader;
  }

  @Override
  public ListenerContext listenerContext() {
    return inner.listenerContext();
  }

  @Override
  public ExecutorService executor() {
    return inner.executor();
  }

  @Override
  public DataWriter dataWriter() {
    return inner.dataWriter();
  }

  @Override
  public Router router() {
    return inner.router();
  }

  @Override
  public Optional<ProxyProtocolData> proxyProtocolData() {
    return inner.proxyProtocolData();
  }

  @Override
  public HelidonSocket serverSocket() {
    return inner.serverSocket();
  }

  @Override
  public PeerInfo remotePeer() {
    return inner.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return inner.localPeer();
  }

  @Override
  public boolean isSecure() {
    return inner.isSecure();
  }

  @Override
  public String socketId() {
    return inner.socketId();
  }

  @Override
  public String childSocketId() {
    return inner.childSocketId();
  }
}
