package dev.substrat.http.address;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// Host of a URL: a name to resolve, or an IP address.
public sealed interface UrlHost {
  Pattern NAME = Pattern.compile("(?=.{1,253}$)[a-z0-9_][a-z0-9_-]{0,62}(\\.[a-z0-9_-]{1,63})*");

  Pattern ZEROS = Pattern.compile("(^|:)(0(:|$)){2,}");

  /// Lower case and ASCII, without a trailing dot.
  record HostName(String text) implements UrlHost {
    @Override
    public boolean isPlain() {
      return true;
    }
  }

  record HostAddress(InetAddress address, boolean isPlain) implements UrlHost {
    /// The usual notation, without brackets.
    @Override
    public String text() {
      String text = address.getHostAddress();
      return text.indexOf(':') < 0 ? text : ZEROS.matcher(text).replaceFirst("::");
    }
  }

  String text();

  /// Whether it was written in the usual notation. A disguised form such as `2130706433` for
  /// `127.0.0.1` suggests an attack: an allowed host is allowed in its usual notation only.
  boolean isPlain();

  /// As written in a URL and in the Host header.
  default String written() {
    return text().indexOf(':') < 0 ? text() : "[" + text() + "]";
  }

  /// Parses the text between `//` and the port. Empty if it is not a valid host.
  ///
  /// This is the only parser: check, lookup, connection and Host header all use its result.
  static Optional<UrlHost> parse(String text) {
    return text.startsWith("[") ? parseIpv6(text) : parseName(text);
  }

  private static Optional<UrlHost> parseIpv6(String text) {
    String inner = text.substring(1, Math.max(1, text.length() - 1));
    // A zone would choose one of this machine's networks.
    if (!text.endsWith("]") || !inner.matches("[0-9a-fA-F:.]+")) {
      return Optional.empty();
    }
    try {
      InetAddress address = Inet6Address.ofLiteral(inner);
      // The JDK converts `::ffff:a.b.c.d` to the IPv4 address in it.
      return Optional.of(new HostAddress(address, address instanceof Inet6Address));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<UrlHost> parseName(String text) {
    String name = ascii(text);
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    if (Ipv4Parser.isNumeric(name)) {
      return Ipv4Parser.parse(name).map(bytes -> address(bytes, text));
    }
    return NAME.matcher(name).matches() ? Optional.of(new HostName(name)) : Optional.empty();
  }

  /// Digits and dots have many Unicode forms; they are normalized before any check. A text that
  /// cannot be normalized is not a valid name.
  private static String ascii(String text) {
    String plain =
        Normalizer.normalize(text, Normalizer.Form.NFKC)
            .replace('\u3002', '.')
            .toLowerCase(Locale.ROOT);
    if (plain.chars().allMatch(c -> c < 128)) {
      return plain;
    }
    try {
      return IDN.toASCII(plain).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return plain;
    }
  }

  private static UrlHost address(byte[] bytes, String written) {
    try {
      var address = InetAddress.getByAddress(bytes);
      return new HostAddress(address, address.getHostAddress().equals(written));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are always an address", e);
    }
  }
}
