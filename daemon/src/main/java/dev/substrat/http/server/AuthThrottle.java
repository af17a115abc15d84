package dev.substrat.http.server;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.webserver.http.ServerRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Rate limiter for failed authentications per client address; answers 429 above the limit.
///
/// Only failures are counted and rejected: a valid token works whatever other clients at the same
/// address do, for example all users behind one proxy. Clients of the Unix socket are not counted,
/// because only the daemon's own user can reach it. Safe for many threads. Kept in memory only: a
/// restart resets all counters.
final class AuthThrottle {
  /// Failures in a row that are answered with 401.
  static final int BURST = 60;

  /// After the burst, one more failure is answered with 401 each second.
  static final Duration REFILL = Duration.ofSeconds(1);

  /// Above this, the entry with the oldest failure is removed.
  static final int MAX_ADDRESSES = 10_000;

  private static final Log LOG = Log.of(AuthThrottle.class);

  private final LongSupplier nanos;
  private final Map<String, AddressFailures> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AddressFailures> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  AuthThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// The failures of one address: `left` were still allowed at `since`.
  private record AddressFailures(double left, long since, boolean isLimited) {}

  /// Counts a failure of the client that sent `request`; the fault is the answer instead of 401.
  Optional<Fault> fail(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress peer
            && peer.getAddress() != null
        ? fail(network(peer.getAddress()))
        : Optional.empty();
  }

  synchronized Optional<Fault> fail(String address) {
    long now = nanos.getAsLong();
    AddressFailures before =
        byAddress.getOrDefault(address, new AddressFailures(BURST, now, false));
    double left =
        Math.min(BURST, before.left() + (double) (now - before.since()) / REFILL.toNanos());
    boolean isLimited = left < 1;
    if (isLimited && !before.isLimited()) {
      LOG.warn("too many failed authentications", "address", address);
    }
    byAddress.put(address, new AddressFailures(isLimited ? left : left - 1, now, isLimited));
    return isLimited
        ? Optional.of(
            ErrorCode.RATE_LIMITED.fault(
                "too many failed authentications from this address",
                "send a valid token; requests with a valid token are not limited"))
        : Optional.empty();
  }

  synchronized int size() {
    return byAddress.size();
  }

  /// An IPv4 address, or the first 64 bits of an IPv6 address: a client has all addresses behind
  /// them.
  static String network(InetAddress address) {
    return address instanceof Inet6Address
        ? HexFormat.ofDelimiter(":").formatHex(Arrays.copyOf(address.getAddress(), 8)) + "::/64"
        : address.getHostAddress();
  }
}
