package dev.substrat.outgoing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Lines of a protocol, until there have been too many bytes of them.
final class Lines {
  private final InputStream in;
  private final String complaint;
  private int left;

  Lines(InputStream in, int mostBytes, String complaint) {
    this.in = in;
    this.left = mostBytes;
    this.complaint = complaint;
  }

  /// Without its end. Anything but text in it is refused; a lone carriage return is one line's end
  /// to some and nothing to others.
  String next() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the reply ended in the middle of a line");
      }
      if (--left < 0) {
        throw BadReply.tooLarge(complaint);
      }
      line.append((char) c);
    }
    if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    if (line.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127)) {
      throw BadReply.broken("sent control characters where text belongs");
    }
    return line.toString();
  }
}
