package dev.substrat.http.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// Resolves host names to addresses.
public interface NameResolver {
  /// The system's resolver, with its hosts file and caches.
  NameResolver SYSTEM = name -> List.of(InetAddress.getAllByName(name));

  /// At least one address.
  List<InetAddress> resolve(String name) throws UnknownHostException;
}
