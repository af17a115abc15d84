package dev.substrat.bridge;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// One connection to the daemon, used for one request after the other.
///
/// Belongs to one thread at a time; any thread may close it, which ends whatever waits on it.
final class SocketConnection implements AutoCloseable {
  /// The JDK copies what it writes into memory of its own, as much as it is given at once.
  private static final int SLICE = 64 * 1024;

  private static final int LONGEST_LINE = 16 * 1024;

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

  /// Sends a request and reads the head of its answer.
  DaemonReply ask(RequestHead head, byte[] body) throws IOException {
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

  /// One line of the protocol, without its end.
  String line() throws IOException {
    var line = new StringBuilder(64);
    while (true) {
      int c = read();
      if (c == '\n') {
        break;
      }
      if (c < 0) {
        throw new EOFException("the connection ended in the middle of an answer");
      }
      if (line.length() > LONGEST_LINE) {
        throw new IOException("a line of the answer is too long for HTTP");
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

  /// As much as is there, at least one byte; -1 at the end.
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
      // It is gone either way.
    }
  }
}
