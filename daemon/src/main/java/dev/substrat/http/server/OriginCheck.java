package dev.substrat.http.server;

import dev.substrat.platform.config.PublicUrl;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Refuses requests that a foreign web page made our user's browser send.
///
/// A page that rebinds its name to 127.0.0.1 gives itself away by its Host; a page of another
/// origin by its Origin. Ports are not compared in Host, because tunnels change them; Origin must
/// be the very address the request was sent to. That includes the scheme where it is known to be
/// HTTPS: anyone on the network can serve a page under our name in plain HTTP.
public final class OriginCheck {
  /// The last is ours alone: a browser finds this machine under it, and keeps its cookies from what
  /// else is served here.
  private static final Set<String> LOOPBACK =
      Set.of("localhost", "127.0.0.1", "[::1]", "substrat.localhost");

  private final Set<String> hosts;
  private final @Nullable PublicUrl publicUrl;

  public OriginCheck(Set<String> moreHosts) {
    this(moreHosts, null);
  }

  public OriginCheck(Set<String> moreHosts, @Nullable PublicUrl publicUrl) {
    this.hosts = new HashSet<>(LOOPBACK);
    this.publicUrl = publicUrl;
    moreHosts.forEach(host -> hosts.add(host.toLowerCase(Locale.ROOT)));
    if (publicUrl != null) {
      hosts.add(publicUrl.host());
    }
  }

  /// Whether the client sent this request over HTTPS: to our own TLS port, or to a proxy at the
  /// public address.
  boolean isHttps(ServerRequest request) {
    return request.isSecure()
        || (publicUrl != null
            && publicUrl.isHttpsAt(request.headers().first(HeaderNames.HOST).orElse("")));
  }

  void require(String host, List<String> origins, boolean isHttps) {
    if (!hosts.contains(name(host))) {
      throw new Fault(
          ErrorCode.FOREIGN_HOST,
          "this daemon is not called " + host,
          "use the address in daemon.json, or name the host in `hosts` of the configuration");
    }
    for (String origin : origins) {
      if (!isSame(origin, host, isHttps)) {
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

  /// A proxy that nobody told us of may speak HTTPS for us, so both schemes are possible there.
  private static boolean isSame(String origin, String host, boolean isHttps) {
    return origin.equalsIgnoreCase("https://" + host)
        || (!isHttps && origin.equalsIgnoreCase("http://" + host));
  }

  /// Without the port. What is no host and port stays as it is, and is nobody's name.
  private static String name(String host) {
    return host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
  }
}
