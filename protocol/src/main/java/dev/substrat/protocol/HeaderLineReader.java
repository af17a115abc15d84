package dev.substrat.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Reads lines of an HTTP head with a limit on their total size.
public final class HeaderLineReader {
  private static final int LIKELY = 80;

  private final InputStream in;
  private final String complaint;
  private int left;

  HeaderLineReader(InputStream in, int mostBytes, String complaint) {
    this.in = in;
    this.left = mostBytes;
    this.complaint = complaint;
  }

  /// The next line without its line end. Control characters are rejected; parsers disagree whether
  /// a lone carriage return ends a line.
  String next() throws IOException {
    var line = new StringBuilder(LIKELY);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the response ended in the middle of a line");
      }
      if (--left < 0) {
        throw MalformedResponse.tooLarge(complaint);
      }
      line.append((char) c);
    }
    if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    String text = line.toString();
    if (!isText(text)) {
      throw MalformedResponse.broken("sent control characters in its headers");
    }
    return text;
  }

  /// Whether it is a valid header name.
  public static boolean isToken(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean isLetterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!isLetterOrDigit && "!#$%&'*+.^_`|~-".indexOf(c) < 0) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /// Whether it is a valid header value: tabs, and no other control characters.
  public static boolean isText(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127) {
        return false;
      }
    }
    return true;
  }
}
