package dev.substrat.server;

import dev.substrat.http.server.HttpServer;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.PublicUrl;
import dev.substrat.server.api.SystemRoutes;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The addresses that the daemon listens on. Ports are known only after the start.
final class ListenAddress implements SystemRoutes.Address {
  private final String host;
  private final String socket;
  private final @Nullable PublicUrl publicUrl;
  private final String scheme;
  private volatile int port;
  private volatile @Nullable String localUrl;

  ListenAddress(DaemonSettings settings, Path socket) {
    this.host = settings.host();
    this.socket = socket.toString();
    this.publicUrl = settings.publicUrl();
    this.scheme = settings.tls() == null ? "http" : "https";
  }

  void listening(HttpServer server) {
    this.port = server.port();
    if (scheme.equals("https")) {
      this.localUrl = server.localUrl();
    }
  }

  /// A daemon that listens on all addresses is reached at the loopback address.
  @Override
  public String url() {
    String name =
        switch (host) {
          case "0.0.0.0", "::" -> "127.0.0.1";
          default -> host.contains(":") ? "[" + host + "]" : host;
        };
    return scheme + "://" + name + ":" + port;
  }

  /// For agent CLIs on this machine: plain HTTP, so they need no certificate.
  String mcpUrl() {
    String local = localUrl;
    return (local == null ? url() : local) + "/mcp";
  }

  @Override
  public String publicUrl() {
    return publicUrl == null ? url() : publicUrl.text();
  }

  @Override
  public String socket() {
    return socket;
  }
}
