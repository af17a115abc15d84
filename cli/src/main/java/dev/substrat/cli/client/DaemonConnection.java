package dev.substrat.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Connection to a daemon over TCP, TLS or a Unix socket.
sealed interface DaemonConnection extends AutoCloseable {
  void write(byte[] bytes) throws IOException;

  InputStream input() throws IOException;

  /// Sets the read timeout; a longer read fails with [SocketTimeoutException].
  void timeout(Duration longest) throws SocketException;

  @Override
  void close() throws IOException;

  static int millis(Duration duration) {
    return Math.clamp(duration.toMillis(), 1, Integer.MAX_VALUE);
  }

  /// TCP, with TLS if the address is https.
  record TcpConnection(Socket socket) implements DaemonConnection {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    static TcpConnection open(URI address) throws IOException {
      boolean isSecure = "https".equals(address.getScheme());
      int usual = isSecure ? HTTPS_PORT : HTTP_PORT;
      int port = address.getPort() > 0 ? address.getPort() : usual;
      var socket = new Socket();
      try {
        var where = new InetSocketAddress(address.getHost(), port);
        if (where.isUnresolved()) {
          throw new UnknownHostException(address.getHost());
        }
        socket.connect(where, millis(CONNECT));
        socket.setTcpNoDelay(true);
        return new TcpConnection(isSecure ? secured(socket, address.getHost(), port) : socket);
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
    }

    /// Verifies the certificate and its host name.
    private static Socket secured(Socket plain, String host, int port) throws IOException {
      plain.setSoTimeout(millis(CONNECT));
      var factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
      var socket = (SSLSocket) factory.createSocket(plain, host, port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    @Override
    public InputStream input() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public void timeout(Duration longest) throws SocketException {
      socket.setSoTimeout(millis(longest));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /// Unix socket. The JDK has no read timeout for it, so reads wait on a selector.
  final class UnixSocketConnection implements DaemonConnection {
    private final SocketChannel channel;
    private final Selector selector;
    private volatile int longest = Integer.MAX_VALUE;

    private UnixSocketConnection(SocketChannel channel, Selector selector) {
      this.channel = channel;
      this.selector = selector;
    }

    static UnixSocketConnection open(Path path) throws IOException {
      var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(UnixDomainSocketAddress.of(path));
        return new UnixSocketConnection(channel, Selector.open());
      } catch (SocketException e) {
        // A missing socket file is reported like a refused connection.
        channel.close();
        var refused = new ConnectException(e.getMessage());
        refused.initCause(e);
        throw refused;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }

    /// Must be called before the first read, while the channel is blocking.
    @Override
    public void write(byte[] bytes) throws IOException {
      var left = ByteBuffer.wrap(bytes);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }

    @Override
    public InputStream input() throws IOException {
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      return new InputStream() {
        @Override
        public int read() throws IOException {
          var one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          if (length == 0) {
            return 0;
          }
          var buffer = ByteBuffer.wrap(target, offset, length);
          int count = channel.read(buffer);
          while (count == 0) {
            await();
            count = channel.read(buffer);
          }
          return count;
        }
      };
    }

    private void await() throws IOException {
      selector.selectedKeys().clear();
      if (selector.select(longest) == 0) {
        throw new SocketTimeoutException("Read timed out");
      }
    }

    @Override
    public void timeout(Duration duration) {
      longest = millis(duration);
    }

    @Override
    public void close() throws IOException {
      try (channel) {
        selector.close();
      }
    }
  }
}
