package dev.substrat.platform.config;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// URL at which people and services on other machines reach the daemon: that of a proxy or tunnel
/// in front of it, or its own. `text` has no trailing slash.
public record PublicUrl(String text, String host) {
  private static final String HTTPS = "https://";
  private static final int LAST_PORT = 65_535;

  /// Addresses to listen on, which no client can connect to.
  private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "[::]");

  /// Errors do not quote the value, because it may contain a password.
  public static PublicUrl parse(String written) {
    URI address = uri(written.strip());
    String scheme = address.getScheme();
    require(
        "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme),
        "must begin with http:// or https://");
    require(address.getRawUserInfo() == null, "must not contain a user name or password");
    String host = host(address);
    require(!EVERYWHERE.contains(host), "must be reachable from other machines, not " + host);
    // Links and cookies of the console begin at the root.
    require(
        isRoot(address.getRawPath())
            && address.getRawQuery() == null
            && address.getRawFragment() == null,
        "must not have a path, query or fragment");
    int port = address.getPort();
    require(port != 0 && port <= LAST_PORT, "must have a port from 1 to 65535, or none");
    String begin = scheme.toLowerCase(Locale.ROOT) + "://" + host;
    // Browsers omit a default port, and the origin that they send is compared with this text.
    boolean isDefault = port < 0 || port == (begin.startsWith(HTTPS) ? 443 : 80);
    return new PublicUrl(isDefault ? begin : begin + ":" + port, host);
  }

  /// Whether a request with this `Host` header was sent to this address, and the address is HTTPS.
  public boolean isHttpsAt(String hostHeader) {
    return text.equalsIgnoreCase(HTTPS + hostHeader);
  }

  private static URI uri(String written) {
    try {
      return new URI(written);
    } catch (URISyntaxException _) {
      throw refusal("is not a URL");
    }
  }

  private static String host(URI address) {
    String host = address.getHost();
    if (host == null) {
      throw refusal("must have a host of letters, digits, dots and hyphens");
    }
    return host.toLowerCase(Locale.ROOT);
  }

  private static boolean isRoot(@Nullable String path) {
    return path == null || path.isEmpty() || path.equals("/");
  }

  private static void require(boolean fine, String message) {
    if (!fine) {
      throw refusal(message);
    }
  }

  private static Fault refusal(String message) {
    return ErrorCode.INVALID_CONFIG.fault(
        "publicUrl " + message, "for example https://team.example or http://10.0.0.7:7420");
  }
}
