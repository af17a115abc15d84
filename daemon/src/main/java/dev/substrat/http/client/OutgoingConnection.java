package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.address.UrlHost;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import jdk.net.ExtendedSocketOptions;

/// Connection to one address, opened for one origin.
///
/// Used by one request at a time. Interrupting the thread that reads or writes closes it, as does
/// closing its channel from another thread.
final class OutgoingConnection implements AutoCloseable {
  private static final int BUFFER = 16 * 1024;
  private static final int KEEP_ALIVE_SECONDS = 60;

  private final ConnectionOrigin origin;
  private final SocketChannel channel;
  private final PeekableInputStream in;
  private final OutputStream out;
  private long idleSince;

  /// Knows how much is buffered without a system call.
  private static final class PeekableInputStream extends BufferedInputStream {
    private PeekableInputStream(InputStream in) {
      super(in, BUFFER);
    }

    private boolean hasMore() {
      return pos < count;
    }
  }

  /// Target that the connection was opened for, and its resolved address.
  record ConnectionOrigin(boolean isSecure, UrlHost host, int port, InetAddress address) {
    static ConnectionOrigin of(TargetUrl target, InetAddress address) {
      return new ConnectionOrigin(target.isSecure(), target.host(), target.port(), address);
    }
  }

  private OutgoingConnection(ConnectionOrigin origin, SocketChannel channel, Socket socket)
      throws IOException {
    this.origin = origin;
    this.channel = channel;
    this.in = new PeekableInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /// Connects `channel`; on any failure the caller closes it.
  static OutgoingConnection open(SocketChannel channel, ConnectionOrigin origin, long nanos)
      throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    keepAlive(channel);
    int millis = Math.clamp(TimeUnit.NANOSECONDS.toMillis(nanos), 1, Integer.MAX_VALUE);
    try {
      channel.socket().connect(new InetSocketAddress(origin.address(), origin.port()), millis);
    } catch (UnsupportedAddressTypeException e) {
      // The machine has no IPv6.
      throw new NoRouteToHostException("no network for this address family");
    }
    return new OutgoingConnection(origin, channel, channel.socket());
  }

  /// A stream may be idle for hours. Only TCP keep-alive notices that its server has vanished.
  private static void keepAlive(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
    }
  }

  /// The same connection with TLS, after verifying the host's certificate.
  OutgoingConnection secured(SSLSocketFactory factory) throws IOException {
    var socket =
        (SSLSocket)
            factory.createSocket(channel.socket(), origin.host().text(), origin.port(), true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new OutgoingConnection(origin, channel, socket);
  }

  ConnectionOrigin origin() {
    return origin;
  }

  SocketChannel channel() {
    return channel;
  }

  /// Sends a whole request and waits for the first byte of the response.
  InputStream ask(byte[] request) throws IOException {
    out.write(request);
    out.flush();
    in.mark(1);
    if (in.read() < 0) {
      throw new EOFException("closed the connection without a response");
    }
    in.reset();
    return in;
  }

  /// Marks the connection as idle.
  OutgoingConnection rested() {
    idleSince = System.nanoTime();
    return this;
  }

  boolean hasRested(long nanos) {
    return System.nanoTime() - idleSince > nanos;
  }

  /// Whether a request may be sent on it. Data that arrived while it was idle is either its end or
  /// an unsolicited response, which the next request must not read as its own.
  boolean isFresh() {
    try {
      // Decrypted data may be buffered in the TLS layer.
      if (in.hasMore() || (origin.isSecure() && in.available() > 0)) {
        return false;
      }
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is closed either way.
    }
  }
}
