package dev.substrat.http.address;

import java.util.Optional;
import java.util.regex.Pattern;

/// Parser of IPv4 addresses in every notation that C libraries accept: `127.0.0.1`, but also
/// `2130706433`, `0177.0.0.1`, `0x7f.1` and `127.1`.
///
/// Resolvers differ in which of them they treat as an address or as a name, so no such text is
/// passed to a resolver: it is an address as parsed here, or invalid.
final class Ipv4Parser {
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
  private static final int MAX_PARTS = 4;
  private static final int MAX_BITS = 32;

  private Ipv4Parser() {}

  /// A host whose last part is a number is never a name: there is no such top level domain.
  static boolean isNumeric(String host) {
    int end = host.length();
    while (end > 0 && host.charAt(end - 1) == '.') {
      end--;
    }
    String last = host.substring(host.lastIndexOf('.', end - 1) + 1, end);
    return NUMBER.matcher(last).matches();
  }

  /// The four bytes; empty if it is none of the notations.
  static Optional<byte[]> parse(String host) {
    String[] parts = host.split("\\.", -1);
    if (parts.length > MAX_PARTS) {
      return Optional.empty();
    }
    long address = 0;
    for (int i = 0; i < parts.length; i++) {
      // The last part fills all bytes that the others have left.
      int bits = i < parts.length - 1 ? 8 : MAX_BITS - 8 * (parts.length - 1);
      long value = number(parts[i]);
      if (value < 0 || value >> bits != 0) {
        return Optional.empty();
      }
      address = address << bits | value;
    }
    return Optional.of(
        new byte[] {
          (byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address
        });
  }

  /// Decimal, octal after `0`, hexadecimal after `0x`; negative if it is no number or too large.
  private static long number(String part) {
    boolean isHex = part.startsWith("0x") || part.startsWith("0X");
    int radix = isHex ? 16 : part.startsWith("0") && part.length() > 1 ? 8 : 10;
    String digits = isHex ? part.substring(2) : part;
    if (digits.isEmpty()) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      int digit = c < 128 ? Character.digit(c, radix) : -1;
      value = value * radix + digit;
      if (digit < 0 || value >> MAX_BITS != 0) {
        return -1;
      }
    }
    return value;
  }
}
