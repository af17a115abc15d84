package dev.substrat.http.address;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// Hosts that the operator allowed although they are not public.
///
/// The literal host is allowed: if `127.0.0.1` is allowed, a name that resolves to it is not,
/// because the owner of the name decides where it points. An allowed name may resolve to any
/// address.
public final class AllowedHosts {
  public static final AllowedHosts NONE = new AllowedHosts(Set.of(), false);

  /// All hosts, for URLs that only the operator can choose.
  public static final AllowedHosts ALL = new AllowedHosts(Set.of(), true);

  private static final int ANY_PORT = -1;

  private final Set<AllowedHost> entries;
  private final boolean isEverything;

  private record AllowedHost(UrlHost host, int port) {}

  private AllowedHosts(Set<AllowedHost> entries, boolean isEverything) {
    this.entries = Set.copyOf(entries);
    this.isEverything = isEverything;
  }

  /// Parses `HOST` or `HOST:PORT`; an IPv6 address with a port needs brackets.
  public static AllowedHosts parse(Collection<String> texts) {
    var entries = new HashSet<AllowedHost>();
    texts.forEach(text -> entries.add(entry(text.strip())));
    return new AllowedHosts(entries, false);
  }

  private static AllowedHost entry(String text) {
    boolean isBareIpv6 = !text.startsWith("[") && text.indexOf(':') != text.lastIndexOf(':');
    String authority = isBareIpv6 ? "[" + text + "]" : text;
    if (authority.endsWith(":")) {
      // A missing port does not mean all ports.
      throw unusable(text);
    }
    var parts = UrlAuthority.split(authority);
    UrlHost host =
        UrlHost.parse(parts.host()).filter(UrlHost::isPlain).orElseThrow(() -> unusable(text));
    if (parts.port().isEmpty()) {
      return new AllowedHost(host, ANY_PORT);
    }
    return new AllowedHost(host, UrlAuthority.port(parts.port()).orElseThrow(() -> unusable(text)));
  }

  private static Fault unusable(String text) {
    return ErrorCode.INVALID_CONFIG.fault(
        "\"" + text + "\" is not a valid host",
        "write a host name or IP address with an optional port: localhost, 10.0.0.7:8080, [::1]:8080");
  }

  public boolean allow(UrlHost host, int port) {
    return isEverything
        || entries.contains(new AllowedHost(host, ANY_PORT))
        || entries.contains(new AllowedHost(host, port));
  }
}
