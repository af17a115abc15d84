package dev.substrat.daemon;

import dev.substrat.api.SystemRoutes;

/// Where the daemon listens. The port is known only once it does; until then nobody can ask.
final class Address implements SystemRoutes.Address {
  private final String host;
  private final String socket;
  private volatile int port;

  Address(String host, String socket) {
    this.host = host;
    this.socket = socket;
  }

  void listening(int port) {
    this.port = port;
  }

  /// Who listens everywhere is reached at home.
  @Override
  public String url() {
    String name =
        switch (host) {
          case "0.0.0.0", "::" -> "127.0.0.1";
          default -> host.contains(":") ? "[" + host + "]" : host;
        };
    return "http://" + name + ":" + port;
  }

  @Override
  public String socket() {
    return socket;
  }
}
