package dev.substrat.http;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Refuses requests that a foreign web page made our user's browser send.
///
/// A page that rebinds its name to 127.0.0.1 gives itself away by its Host; a page of another
/// origin by its Origin. Ports are not compared in Host, because tunnels change them; Origin must
/// be the very address the request was sent to.
public final class Origins {
  /// The last is ours alone: a browser finds this machine under it, and keeps its cookies from what
  /// else is served here.
  private static final Set<String> LOOPBACK =
      Set.of("localhost", "127.0.0.1", "[::1]", "substrat.localhost");

  private final Set<String> hosts;

  public Origins(Set<String> moreHosts) {
    this.hosts = new HashSet<>(LOOPBACK);
    moreHosts.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
  }

  void require(String host, List<String> origins) {
    if (!hosts.contains(name(host))) {
      throw new Fault(
          ErrorCode.FOREIGN_HOST,
          "this daemon is not called " + host,
          "use the address in daemon.json, or name the host in `hosts` of the configuration");
    }
    for (String origin : origins) {
      if (!isSame(origin, host)) {
        throw new Fault(
            ErrorCode.FOREIGN_ORIGIN,
            "pages of " + origin + " may not talk to this daemon",
            "open the console at the daemon's own address");
      }
    }
  }

  static boolean isThisMachine(String host) {
    return LOOPBACK.contains(name(host));
  }

  private static boolean isSame(String origin, String host) {
    return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
  }

  private static String name(String host) {
    int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
    return (end <= 0 ? host : host.substring(0, end)).toLowerCase(Locale.ROOT);
  }
}
