package dev.substrat.daemon;

import dev.substrat.api.SystemRoutes;
import dev.substrat.config.PublicUrl;
import org.jspecify.annotations.Nullable;

/// Where the daemon listens. The port is known only once it does; until then nobody can ask.
final class Address implements SystemRoutes.Address {
  private final String host;
  private final String socket;
  private final @Nullable PublicUrl elsewhere;
  private volatile int port;

  /// `elsewhere` is where others find it, if that is not where it listens.
  Address(String host, String socket, @Nullable PublicUrl elsewhere) {
    this.host = host;
    this.socket = socket;
    this.elsewhere = elsewhere;
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
  public String publicUrl() {
    return elsewhere == null ? url() : elsewhere.text();
  }

  @Override
  public String socket() {
    return socket;
  }
}
