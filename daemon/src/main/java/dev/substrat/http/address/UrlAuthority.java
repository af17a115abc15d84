package dev.substrat.http.address;

import java.util.OptionalInt;

/// Authority of a URL: a host, and optionally a colon and a port.
record UrlAuthority(String host, String port) {
  private static final int MAX_DIGITS = 5;
  private static final int LAST_PORT = 65_535;

  /// Splits at the first colon after the brackets of an IPv6 address.
  static UrlAuthority split(String text) {
    int colon = text.indexOf(':', Math.max(0, text.lastIndexOf(']')));
    return colon < 0
        ? new UrlAuthority(text, "")
        : new UrlAuthority(text.substring(0, colon), text.substring(colon + 1));
  }

  static OptionalInt port(String text) {
    boolean isNumber =
        !text.isEmpty()
            && text.length() <= MAX_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = isNumber ? Integer.parseInt(text) : 0;
    return port >= 1 && port <= LAST_PORT ? OptionalInt.of(port) : OptionalInt.empty();
  }
}
