package dev.substrat.http.server;

import dev.substrat.platform.config.PublicUrl;
import dev.substrat.protocol.ErrorCode;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rejects requests that a foreign web page made a user's browser send (CSRF, DNS rebinding).
///
/// DNS rebinding is detected by the Host header, a page of another origin by the Origin header.
/// Ports are not compared in Host, because tunnels change them. Origin must be exactly the address
/// of the request, including the scheme if it is HTTPS: anyone on the network can serve a page
/// under our name in plain HTTP.
public final class OriginCheck {
  /// `substrat.localhost` is used only by Substrat: browsers resolve it to this machine and keep
  /// its cookies separate from those of other servers here.
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

  /// Whether the client sent this request over HTTPS: to the TLS port, or to a proxy at the public
  /// URL.
  boolean isHttps(ServerRequest request) {
    return request.isSecure()
        || (publicUrl != null
            && publicUrl.isHttpsAt(request.headers().first(HeaderNames.HOST).orElse("")));
  }

  void require(String host, List<String> origins, boolean isHttps) {
    if (!hosts.contains(name(host))) {
      throw ErrorCode.FOREIGN_HOST.fault(
          "host " + host + " is not allowed",
          "use the URL in daemon.json, or add the host to `hosts` in config.yaml");
    }
    for (String origin : origins) {
      if (!isSame(origin, host, isHttps)) {
        throw ErrorCode.FOREIGN_ORIGIN.fault(
            "requests from web pages of " + origin + " are not allowed",
            "open the console at the daemon's URL");
      }
    }
  }

  static boolean isThisMachine(String host) {
    return LOOPBACK.contains(name(host));
  }

  /// Without HTTPS here, an unknown proxy may terminate HTTPS, so both schemes are possible.
  private static boolean isSame(String origin, String host, boolean isHttps) {
    return origin.equalsIgnoreCase("https://" + host)
        || (!isHttps && origin.equalsIgnoreCase("http://" + host));
  }

  /// The host without its port. An invalid value stays unchanged and matches no host.
  private static String name(String host) {
    return host.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
  }
}
