package dev.substrat.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/// Response body with chunked transfer encoding.
final class ChunkedBody extends InputStream {
  private static final int MAX_SIZE_LINE_LENGTH = 1_024;
  private static final int MAX_TRAILER_BYTES = 16 * 1024;

  /// A chunk size, then optional chunk extensions.
  private static final Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,15})[ \\t]*(;.*)?");

  private final InputStream in;
  private long left;
  private boolean isFirst = true;
  private boolean isOver;

  ChunkedBody(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    try {
      if (left == 0 && !isOver) {
        begin();
      }
      return isOver ? -1 : piece(bytes, from, length);
    } catch (EOFException e) {
      throw MalformedResponse.broken("closed the connection in the middle of its response");
    }
  }

  private int piece(byte[] bytes, int from, int length) throws IOException {
    int read = in.read(bytes, from, (int) Math.min(length, left));
    if (read < 0) {
      throw new EOFException();
    }
    left -= read;
    return read;
  }

  private void begin() throws IOException {
    var lines =
        new HeaderLineReader(in, MAX_SIZE_LINE_LENGTH, "sent a chunk size line that is too long");
    if (!isFirst && !lines.next().isEmpty()) {
      throw MalformedResponse.broken("sent a chunk that is longer than its declared size");
    }
    isFirst = false;
    var size = SIZE.matcher(lines.next());
    if (!size.matches()) {
      throw MalformedResponse.broken("sent an invalid chunk size");
    }
    left = Long.parseLong(size.group(1), 16);
    if (left == 0) {
      isOver = true;
      passTrailers();
    }
  }

  /// Trailers are ignored.
  private void passTrailers() throws IOException {
    var lines = new HeaderLineReader(in, MAX_TRAILER_BYTES, "sent too many headers");
    while (!lines.next().isEmpty()) {
      // Skip the line.
    }
  }
}
