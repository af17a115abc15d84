package dev.substrat.bridge;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// Keep-alive HTTP connection to the daemon.
///
/// Used by one thread at a time; any thread may close it, which ends blocked reads.
final class SocketConnection implements AutoCloseable {
  /// Write size: the JDK copies each write into a native buffer of the same size.
  private static final int SLICE = 64 * 1024;

  private static final int MAX_LINE_LENGTH = 16 * 1024;

  private final SocketChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(16 * 1024).flip();

  private SocketConnection(SocketChannel channel) {
    this.channel = channel;
  }

  static SocketConnection open(Path socket) throws IOException {
    var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      return new SocketConnection(channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Sends a request and reads the head of the response.
  DaemonReply send(RequestHeadBuilder head, byte[] body) throws IOException {
    write(head.bytes(body.length));
    write(body);
    return DaemonReply.read(this);
  }

  private void write(byte[] bytes) throws IOException {
    for (int from = 0; from < bytes.length; from += SLICE) {
      var slice = ByteBuffer.wrap(bytes, from, Math.min(SLICE, bytes.length - from));
      while (slice.hasRemaining()) {
        channel.write(slice);
      }
    }
  }

  /// Reads one protocol line, without its end.
  String line() throws IOException {
    var line = new StringBuilder(64);
    while (true) {
      int c = read();
      if (c == '\n') {
        break;
      }
      if (c < 0) {
        throw new EOFException("the connection ended in the middle of a response");
      }
      if (line.length() > MAX_LINE_LENGTH) {
        throw new IOException("a header line of the response is too long");
      }
      line.append((char) c);
    }
    int length = line.length();
    return length > 0 && line.charAt(length - 1) == '\r'
        ? line.substring(0, length - 1)
        : line.toString();
  }

  private int read() throws IOException {
    return fill() ? buffer.get() & 0xff : -1;
  }

  /// Reads the available bytes, at least one; -1 at the end.
  int read(byte[] target, int offset, int length) throws IOException {
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(target, offset, count);
    return count;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    return count > 0;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The connection is unusable anyway.
    }
  }
}
