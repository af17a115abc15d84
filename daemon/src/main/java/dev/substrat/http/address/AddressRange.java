package dev.substrat.http.address;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/// CIDR range of addresses, the first `bits` of `prefix`, and its kind.
final class AddressRange {
  private static final int MAPPED_BYTES = 16;

  private final byte[] prefix;
  private final int bits;
  private final AddressKind kind;

  private AddressRange(byte[] prefix, int bits, AddressKind kind) {
    this.prefix = prefix;
    this.bits = bits;
    this.kind = kind;
  }

  static AddressRange parse(String text, AddressKind kind) {
    int slash = text.indexOf('/');
    String address = text.substring(0, slash);
    int bits = Integer.parseInt(text, slash + 1, text.length(), 10);
    boolean isIpv6 = address.indexOf(':') >= 0;
    InetAddress parsed = isIpv6 ? Inet6Address.ofLiteral(address) : Inet4Address.ofLiteral(address);
    return new AddressRange(isIpv6 ? wide(parsed) : parsed.getAddress(), bits, kind);
  }

  /// The JDK converts `::ffff:a.b.c.d` to the IPv4 address in it.
  private static byte[] wide(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == MAPPED_BYTES) {
      return bytes;
    }
    var mapped = new byte[MAPPED_BYTES];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(bytes, 0, mapped, 12, bytes.length);
    return mapped;
  }

  boolean contains(byte[] address) {
    if (address.length != prefix.length) {
      return false;
    }
    int whole = bits / 8;
    if (!Arrays.equals(address, 0, whole, prefix, 0, whole)) {
      return false;
    }
    int rest = bits % 8;
    int mask = 0xff << (8 - rest) & 0xff;
    return rest == 0 || (address[whole] & mask) == (prefix[whole] & mask);
  }

  AddressKind kind() {
    return kind;
  }
}
