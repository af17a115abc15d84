package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/// Opens connections, only to the addresses it is given. Proxies from the environment are not used:
/// they would resolve names again.
final class Dialer {
  private final Supplier<SSLSocketFactory> tls;

  Dialer(Supplier<SSLSocketFactory> tls) {
    this.tls = tls;
  }

  /// Connects to the first address that accepts the connection.
  OutgoingConnection connect(TargetUrl target, List<InetAddress> addresses, CallDeadline deadline) {
    for (int i = 0; ; i++) {
      int others = addresses.size() - i;
      try {
        return secured(
            open(OutgoingConnection.Origin.of(target, addresses.get(i)), others, deadline),
            target,
            deadline);
      } catch (IOException e) {
        OutgoingFailure failure = ConnectionErrors.connecting(target, deadline, e);
        boolean isOver = failure.reason() == OutgoingFailure.Reason.CANCELLED;
        if (others == 1 || isOver || deadline.nanosLeft() <= 0) {
          throw failure;
        }
      }
    }
  }

  /// An address that does not respond must leave time for the others.
  private static OutgoingConnection open(
      OutgoingConnection.Origin origin, int others, CallDeadline deadline) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      deadline.hold(channel);
      return OutgoingConnection.open(channel, origin, deadline.nanosLeft() / others);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private OutgoingConnection secured(
      OutgoingConnection plain, TargetUrl target, CallDeadline deadline) {
    if (!target.isSecure()) {
      return plain;
    }
    try {
      return plain.secured(tls.get());
    } catch (IOException e) {
      plain.close();
      throw ConnectionErrors.securing(target, deadline, e);
    }
  }
}
