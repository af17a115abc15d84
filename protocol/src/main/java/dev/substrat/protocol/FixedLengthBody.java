package dev.substrat.protocol;

import java.io.IOException;
import java.io.InputStream;

/// Response body with a Content-Length.
final class FixedLengthBody extends InputStream {
  private final InputStream in;
  private long left;

  FixedLengthBody(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int read = in.read(bytes, from, (int) Math.min(length, left));
    if (read < 0) {
      throw MalformedResponse.broken("closed the connection in the middle of its response");
    }
    left -= read;
    return read;
  }
}
