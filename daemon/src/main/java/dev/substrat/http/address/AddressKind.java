package dev.substrat.http.address;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/// Kind of an IP address. Only public addresses may be called without the operator's permission:
/// services at all others often trust every client that can reach them.
public enum AddressKind {
  PUBLIC("the internet"),
  LOOPBACK("the loopback interface of this machine"),
  UNSPECIFIED("the unspecified address (this machine)"),
  PRIVATE("a private network"),
  LINK_LOCAL("the link-local network (cloud metadata services)"),
  PLATFORM("an internal service of a cloud provider"),
  CARRIER("a carrier's internal network"),
  MULTICAST("a multicast group"),
  RESERVED("a reserved address");

  private static final int IPV4_BYTES = 4;

  /// From IANA's registries of special addresses; the first range that contains an address counts.
  private static final List<AddressRange> IPV4 =
      List.of(
          range("0.0.0.0/8", UNSPECIFIED),
          range("10.0.0.0/8", PRIVATE),
          range("100.64.0.0/10", CARRIER),
          range("127.0.0.0/8", LOOPBACK),
          range("169.254.0.0/16", LINK_LOCAL),
          range("172.16.0.0/12", PRIVATE),
          range("192.0.0.0/24", RESERVED),
          range("192.0.2.0/24", RESERVED),
          range("192.88.99.0/24", RESERVED),
          range("192.168.0.0/16", PRIVATE),
          range("198.18.0.0/15", RESERVED),
          range("198.51.100.0/24", RESERVED),
          range("203.0.113.0/24", RESERVED),
          // Seems public, but every machine in Azure finds internal services of its host there.
          range("168.63.129.16/32", PLATFORM),
          range("224.0.0.0/4", MULTICAST),
          range("240.0.0.0/4", RESERVED),
          range("0.0.0.0/0", PUBLIC));

  /// Everything outside `2000::/3` is not public.
  private static final List<AddressRange> IPV6 =
      List.of(
          range("::1/128", LOOPBACK),
          range("::/128", UNSPECIFIED),
          range("fc00::/7", PRIVATE),
          range("fe80::/10", LINK_LOCAL),
          range("fec0::/10", PRIVATE),
          range("ff00::/8", MULTICAST),
          // Teredo, benchmarks, identifiers that are no addresses.
          range("2001::/23", RESERVED),
          range("2001:db8::/32", RESERVED),
          range("3fff::/20", RESERVED),
          range("2000::/3", PUBLIC),
          range("::/0", RESERVED));

  /// IPv6 ranges whose addresses are translated to the IPv4 address in them.
  private static final List<EmbeddedIpv4Range> EMBEDDINGS =
      List.of(
          new EmbeddedIpv4Range(range("::ffff:0:0/96", PUBLIC), 12),
          new EmbeddedIpv4Range(range("64:ff9b::/96", PUBLIC), 12),
          new EmbeddedIpv4Range(range("2002::/16", PUBLIC), 2));

  private final String words;

  AddressKind(String words) {
    this.words = words;
  }

  /// IPv6 addresses with an IPv4 address inside, from byte `at` on.
  private record EmbeddedIpv4Range(AddressRange range, int at) {}

  public static AddressKind of(InetAddress address) {
    return of(address.getAddress());
  }

  private static AddressKind of(byte[] address) {
    if (address.length == IPV4_BYTES) {
      return first(IPV4, address);
    }
    for (EmbeddedIpv4Range embedding : EMBEDDINGS) {
      if (embedding.range().contains(address)) {
        return of(Arrays.copyOfRange(address, embedding.at(), embedding.at() + IPV4_BYTES));
      }
    }
    return first(IPV6, address);
  }

  private static AddressKind first(List<AddressRange> ranges, byte[] address) {
    for (AddressRange range : ranges) {
      if (range.contains(address)) {
        return range.kind;
      }
    }
    return RESERVED;
  }

  private static AddressRange range(String text, AddressKind kind) {
    return AddressRange.parse(text, kind);
  }

  /// Description of the target, for error messages.
  public String words() {
    return words;
  }

  /// CIDR range of addresses, the first `bits` of `prefix`, and its kind.
  private static final class AddressRange {
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
      InetAddress parsed =
          isIpv6 ? Inet6Address.ofLiteral(address) : Inet4Address.ofLiteral(address);
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
  }
}
