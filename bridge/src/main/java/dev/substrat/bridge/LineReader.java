package dev.substrat.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// Reads the client's lines, one message each, up to a maximum length.
final class LineReader {
  static final int MAX_LENGTH = 8 * 1024 * 1024;

  /// Result of a read.
  sealed interface ReadResult {

    /// A line without its end.
    final class CompleteLine implements ReadResult {
      private final byte[] bytes;

      private CompleteLine(byte[] bytes) {
        this.bytes = bytes;
      }

      byte[] bytes() {
        return bytes;
      }
    }

    /// A line that was skipped because it is too long.
    record LineTooLong() implements ReadResult {}

    /// The client has closed its end.
    record EndOfInput() implements ReadResult {}
  }

  private final InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int position;
  private int filled;

  LineReader(InputStream in) {
    this.in = in;
  }

  /// Blocks for the next line. Skips empty lines.
  ReadResult next() throws IOException {
    while (true) {
      var line = new ByteArrayOutputStream(512);
      int longest = 0;
      boolean isWhole = false;
      while (!isWhole && fill()) {
        int end = lineEnd();
        int count = end - position;
        longest = Math.min(MAX_LENGTH + 1, longest + count);
        if (longest <= MAX_LENGTH) {
          line.write(buffer, position, count);
        }
        isWhole = end < filled;
        position = isWhole ? end + 1 : end;
      }
      if (longest > MAX_LENGTH) {
        return new ReadResult.LineTooLong();
      }
      if (!isBlank(line)) {
        return new ReadResult.CompleteLine(line.toByteArray());
      }
      if (!isWhole) {
        return new ReadResult.EndOfInput();
      }
    }
  }

  /// False at the end of the input.
  private boolean fill() throws IOException {
    if (position == filled) {
      position = 0;
      filled = Math.max(0, in.read(buffer));
    }
    return filled > 0;
  }

  private int lineEnd() {
    int end = position;
    while (end < filled && buffer[end] != '\n') {
      end++;
    }
    return end;
  }

  private static boolean isBlank(ByteArrayOutputStream line) {
    return line.size() == 0 || (line.size() == 1 && line.toByteArray()[0] == '\r');
  }
}
