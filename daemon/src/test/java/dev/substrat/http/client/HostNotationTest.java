package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.address.AddressKind;
import dev.substrat.http.address.UrlHost;
import dev.substrat.testkit.Requirement;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/// An address is classified equally in every notation.
final class HostNotationTest {
  private static final int ROUNDS = 20_000;

  /// First and last addresses of the non-public ranges, and their neighbours.
  private static final List<String> EDGES =
      List.of(
          "0.0.0.0",
          "0.255.255.255",
          "1.0.0.0",
          "9.255.255.255",
          "10.0.0.0",
          "10.255.255.255",
          "11.0.0.0",
          "100.63.255.255",
          "100.64.0.0",
          "100.127.255.255",
          "100.128.0.0",
          "126.255.255.255",
          "127.0.0.0",
          "127.255.255.255",
          "128.0.0.0",
          "168.63.129.16",
          "169.253.255.255",
          "169.254.0.0",
          "169.254.255.255",
          "169.255.0.0",
          "172.15.255.255",
          "172.16.0.0",
          "172.31.255.255",
          "172.32.0.0",
          "191.255.255.255",
          "192.0.0.0",
          "192.0.1.0",
          "192.0.2.0",
          "192.0.3.0",
          "192.88.99.0",
          "192.167.255.255",
          "192.168.0.0",
          "192.168.255.255",
          "192.169.0.0",
          "198.17.255.255",
          "198.18.0.0",
          "198.19.255.255",
          "198.20.0.0",
          "198.51.100.0",
          "203.0.113.255",
          "223.255.255.255",
          "224.0.0.0",
          "239.255.255.255",
          "240.0.0.0",
          "255.255.255.255");

  private final Random random = new Random(20_261_116);

  @Test
  @Requirement("S3-16")
  void edges_of_address_ranges_are_parsed_equally_in_every_notation() throws UnknownHostException {
    for (String edge : EDGES) {
      for (int i = 0; i < 50; i++) {
        assertSame(InetAddress.ofLiteral(edge).getAddress());
      }
    }
  }

  @Test
  @Requirement("S3-16")
  void random_addresses_are_parsed_equally_in_every_notation() throws UnknownHostException {
    for (int i = 0; i < ROUNDS; i++) {
      var address = new byte[4];
      random.nextBytes(address);
      assertSame(address);
    }
  }

  private void assertSame(byte[] bytes) throws UnknownHostException {
    InetAddress plain = InetAddress.getByAddress(bytes);
    for (String form : List.of(numbers(bytes), mapped(bytes))) {
      var host = (UrlHost.HostAddress) UrlHost.parse(form).orElseThrow();
      assertThat(host.address()).as(form).isEqualTo(plain);
    }
    // Another address that embeds this one.
    for (String form : List.of(wrapped("64:ff9b::%s:%s", bytes), wrapped("2002:%s:%s::1", bytes))) {
      var host = (UrlHost.HostAddress) UrlHost.parse(form).orElseThrow();
      assertThat(AddressKind.of(host.address())).as(form).isEqualTo(AddressKind.of(plain));
    }
  }

  /// One to four numbers, each in a base of its own, with the dots and digits of some script.
  private String numbers(byte[] bytes) {
    long address = 0;
    for (byte b : bytes) {
      address = address << 8 | (b & 0xff);
    }
    int parts = 1 + random.nextInt(4);
    var text = new ArrayList<String>();
    for (int i = 0; i < parts - 1; i++) {
      text.add(number(address >> (24 - 8 * i) & 0xff));
    }
    int bits = 32 - 8 * (parts - 1);
    text.add(number(address & ((1L << bits) - 1)));
    String dot = List.of(".", ".", "\u3002", "\uff0e", "\uff61").get(random.nextInt(5));
    String end = random.nextInt(4) == 0 ? dot : "";
    return digits(String.join(dot, text) + end);
  }

  private String number(long value) {
    String zeros = "0".repeat(random.nextInt(3));
    List<LongFunction<String>> bases =
        List.of(
            Long::toString,
            number -> "0" + zeros + Long.toOctalString(number),
            number -> "0x" + zeros + Long.toHexString(number),
            number -> "0X" + zeros + Long.toHexString(number).toUpperCase(Locale.ROOT));
    return bases.get(random.nextInt(bases.size())).apply(value);
  }

  private String digits(String text) {
    if (random.nextBoolean()) {
      return text;
    }
    var wide = new StringBuilder();
    text.chars()
        .forEach(c ->
            wide.append((char) (c >= '0' && c <= '9' && random.nextBoolean() ? c + 0xfee0 : c)));
    return wide.toString();
  }

  private static String mapped(byte[] bytes) {
    return wrapped("::ffff:%s:%s", bytes);
  }

  private static String wrapped(String form, byte[] bytes) {
    String high = Integer.toHexString((bytes[0] & 0xff) << 8 | (bytes[1] & 0xff));
    String low = Integer.toHexString((bytes[2] & 0xff) << 8 | (bytes[3] & 0xff));
    return "[" + form.formatted(high, low) + "]";
  }
}
