package dev.substrat.http.client;

import dev.substrat.http.address.AddressKind;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.address.UrlHost;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.net.InetAddress;
import java.util.List;

/// Decides whether a target may be called, and at which addresses.
///
/// A name is resolved once, here, and connections go only to the resolved addresses: a later DNS
/// answer changes nothing (DNS rebinding). A name with at least one address that is not public is
/// rejected completely, because it is either an attack or a mistake.
record AddressPolicy(AllowedHosts allowed, DnsLookups lookups) {
  /// Names below these domains are never public, whatever DNS returns.
  private static final List<String> INNER_DOMAINS =
      List.of("localhost", "local", "internal", "home.arpa");

  boolean isAllowed(TargetUrl target) {
    return allowed.allow(target.host(), target.port());
  }

  /// Allowed addresses of the target; never empty.
  List<InetAddress> addresses(TargetUrl target, CallDeadline deadline) {
    boolean isAllowed = isAllowed(target);
    if (!isAllowed && target.host() instanceof UrlHost.HostName(String name) && isInner(name)) {
      throw blocked(target, "is an internal host name");
    }
    List<InetAddress> addresses =
        switch (target.host()) {
          case UrlHost.HostAddress(InetAddress address, boolean _) -> List.of(address);
          case UrlHost.HostName(String name) -> lookups.addresses(name, deadline);
        };
    if (!isAllowed) {
      addresses.forEach(address -> requirePublic(target, address));
    }
    return addresses;
  }

  private static boolean isInner(String name) {
    return INNER_DOMAINS.stream()
        .anyMatch(domain -> name.equals(domain) || name.endsWith("." + domain));
  }

  /// The address itself is not reported: that would map the internal network.
  private static void requirePublic(TargetUrl target, InetAddress address) {
    AddressKind kind = AddressKind.of(address);
    if (kind != AddressKind.PUBLIC) {
      throw blocked(target, "resolves to " + kind.words());
    }
  }

  private static OutgoingFailure blocked(TargetUrl target, String why) {
    return new OutgoingFailure(
        FailureReason.BLOCKED,
        target.host().written() + " " + why,
        "only public addresses are allowed; the operator can allow this one with:"
            + " ./substrat up --allow-host %s:%d"
                .formatted(target.host().written(), target.port()));
  }
}
