package dev.substrat.platform.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads lines of an untrusted stream with a limit on the length of a line. Used by one thread.
final class BoundedLineReader {
  private final InputStream in;
  private final int limit;
  private final byte[] buffer = new byte[8192];
  private int at;
  private int end;

  BoundedLineReader(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /// A line without its line end, or the first part of a line that is too long; the rest comes
  /// next.
  record BoundedLine(String text, boolean isWhole) {}

  /// Blocks until there is a line; null at the end of the stream.
  @Nullable BoundedLine next() throws IOException {
    var line = new ByteArrayOutputStream();
    while (at < end || fill()) {
      int stop = at;
      int most = Math.min(end, at + limit - line.size());
      while (stop < most && buffer[stop] != '\n') {
        stop++;
      }
      line.write(buffer, at, stop - at);
      at = stop;
      if (at < end && buffer[at] == '\n') {
        at++;
        return new BoundedLine(line.toString(UTF_8), true);
      }
      if (line.size() == limit) {
        return new BoundedLine(line.toString(UTF_8), false);
      }
    }
    return line.size() == 0 ? null : new BoundedLine(line.toString(UTF_8), true);
  }

  private boolean fill() throws IOException {
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }
}
