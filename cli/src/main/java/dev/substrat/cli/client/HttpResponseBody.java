package dev.substrat.cli.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Body of an HTTP response: with a content length, chunked, or until the connection ends.
///
/// Never blocks for more than the available data, so each event of a stream is delivered when it
/// arrives.
final class HttpResponseBody extends InputStream {
  private static final long UNTIL_CLOSED = Long.MAX_VALUE;

  private final InputStream in;
  private final boolean chunked;
  private long left;

  private HttpResponseBody(InputStream in, boolean chunked, long left) {
    this.in = in;
    this.chunked = chunked;
    this.left = left;
  }

  static HttpResponseBody of(InputStream in, @Nullable String encoding, @Nullable String length)
      throws IOException {
    if (encoding != null && encoding.toLowerCase(Locale.ROOT).contains("chunked")) {
      return new HttpResponseBody(in, true, 0);
    }
    return new HttpResponseBody(in, false, length == null ? UNTIL_CLOSED : number(length, 10));
  }

  static HttpResponseBody empty(InputStream in) {
    return new HttpResponseBody(in, false, 0);
  }

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
    if (left == 0 && !(chunked && nextChunk())) {
      return -1;
    }
    int count = in.read(target, offset, (int) Math.min(length, left));
    if (count < 0) {
      return endOfConnection();
    }
    if (left != UNTIL_CLOSED) {
      left -= count;
    }
    if (chunked && left == 0) {
      line(in);
    }
    return count;
  }

  private int endOfConnection() throws EOFException {
    if (left == UNTIL_CLOSED) {
      return -1;
    }
    throw new EOFException("the connection ended in the middle of a response");
  }

  private boolean nextChunk() throws IOException {
    String size = line(in);
    int extension = size.indexOf(';');
    left = number(extension < 0 ? size : size.substring(0, extension), 16);
    return left > 0;
  }

  private static long number(String text, int radix) throws IOException {
    try {
      return Long.parseLong(text.strip(), radix);
    } catch (NumberFormatException e) {
      throw new IOException("not an HTTP length: " + text, e);
    }
  }

  /// Reads one protocol line, without its end, up to a maximum length.
  static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended in the middle of a response");
      }
      if (line.length() > 16_384) {
        throw new IOException("a header line of the response is too long");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }
}
