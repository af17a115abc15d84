package dev.substrat.bridge;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// HTTP response of the daemon; the body is read from the connection on demand.
final class DaemonReply {
  private static final int MAX_SIZE = 32 * 1024 * 1024;
  private static final long UNTIL_CLOSED = Long.MAX_VALUE;

  private final SocketConnection connection;
  private final int status;
  private @Nullable String contentType;
  private @Nullable String session;
  private boolean closes;
  private boolean chunked;
  private long left = UNTIL_CLOSED;
  private boolean ended;

  private DaemonReply(SocketConnection connection, int status) {
    this.connection = connection;
    this.status = status;
  }

  static DaemonReply read(SocketConnection connection) throws IOException {
    DaemonReply reply;
    do {
      reply = new DaemonReply(connection, status(connection.line()));
      for (String line = connection.line(); !line.isEmpty(); line = connection.line()) {
        reply.header(line);
      }
      // Skips interim responses.
    } while (reply.status / 100 == 1);
    if (reply.status == 204 || reply.status == 304) {
      reply.left = 0;
    }
    reply.ended = reply.left == 0 && !reply.chunked;
    return reply;
  }

  private static int status(String line) throws IOException {
    if (line.length() < 12 || !line.startsWith("HTTP/1.")) {
      throw new IOException("the response is not HTTP");
    }
    return (int) number(line.substring(9, 12), 10);
  }

  private void header(String line) throws IOException {
    int colon = line.indexOf(':');
    if (colon < 1) {
      throw new IOException("the response is not HTTP");
    }
    String name = line.substring(0, colon);
    String value = line.substring(colon + 1).strip();
    if (name.equalsIgnoreCase("Content-Type")) {
      contentType = value;
    } else if (name.equalsIgnoreCase("Content-Length") && !chunked) {
      left = number(value, 10);
    } else if (name.equalsIgnoreCase("Transfer-Encoding")) {
      chunked = value.equalsIgnoreCase("chunked");
      left = 0;
    } else if (name.equalsIgnoreCase("Connection")) {
      closes = value.equalsIgnoreCase("close");
    } else if (name.equalsIgnoreCase("Mcp-Session-Id")) {
      session = value;
    }
  }

  int status() {
    return status;
  }

  @Nullable String session() {
    return session;
  }

  boolean isStream() {
    return contentType != null && contentType.startsWith("text/event-stream");
  }

  /// True if the connection can be reused.
  boolean isComplete() {
    return ended && !closes;
  }

  /// The whole body.
  byte[] body() throws IOException {
    var body = new ByteArrayOutputStream();
    var piece = new byte[8192];
    for (int count = read(piece); count >= 0; count = read(piece)) {
      body.write(piece, 0, count);
      if (body.size() > MAX_SIZE) {
        throw new BridgeError(
            "TOO_LARGE",
            "the daemon's response is larger than 32 MB",
            "request less data at a time");
      }
    }
    return body.toByteArray();
  }

  /// Reads the available bytes of the body; -1 at its end.
  int read(byte[] target) throws IOException {
    if (left == 0 && chunked && !ended) {
      left = chunk();
      ended = left == 0;
    }
    if (ended || left == 0) {
      ended = true;
      return -1;
    }
    int count = connection.read(target, 0, (int) Math.min(target.length, left));
    if (count < 0) {
      return endOfConnection();
    }
    if (left != UNTIL_CLOSED) {
      left -= count;
    }
    if (left == 0 && chunked) {
      connection.line();
    }
    ended = left == 0 && !chunked;
    return count;
  }

  private int endOfConnection() throws EOFException {
    if (left != UNTIL_CLOSED) {
      throw new EOFException("the connection ended in the middle of a response");
    }
    ended = true;
    closes = true;
    return -1;
  }

  /// Reads the size of the next chunk; after the last one, skips trailers.
  private long chunk() throws IOException {
    String line = connection.line();
    int extension = line.indexOf(';');
    long size = number(extension < 0 ? line : line.substring(0, extension), 16);
    if (size == 0) {
      while (!connection.line().isEmpty()) {
        // Trailers are ignored.
      }
    }
    return size;
  }

  private static long number(String text, int radix) throws IOException {
    try {
      return Long.parseLong(text.strip(), radix);
    } catch (NumberFormatException e) {
      throw new IOException("invalid number in an HTTP header: " + text, e);
    }
  }
}
