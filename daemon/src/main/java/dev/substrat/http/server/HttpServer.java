package dev.substrat.http.server;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.common.socket.SocketOptions;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// HTTP server of the daemon: one TCP port and one Unix socket, both answered by the same
/// [RequestPipeline], each request on a virtual thread of its own.
///
/// With a certificate, the TCP port uses HTTPS only. Agent CLIs on this machine may not trust the
/// certificate, and it does not name 127.0.0.1, so `/mcp` is then also served in plain HTTP on a
/// second port on the loopback interface.
public final class HttpServer implements AutoCloseable {
  private static final Log LOG = Log.of(HttpServer.class);

  private static final String LOOPBACK = "loopback";

  private final WebServer server;
  private final Path socket;
  private final @Nullable CertificateReloader reloader;

  private HttpServer(WebServer server, Path socket, @Nullable ServerCertificate certificate) {
    this.server = server;
    this.socket = socket;
    this.reloader =
        certificate == null ? null : CertificateReloader.start(certificate, server::reloadTls);
  }

  /// Listens on `host:port` (0: any free port) and on the Unix socket `socket`.
  public static HttpServer start(String host, int port, Path socket, RequestPipeline listener) {
    return start(host, port, socket, listener, null);
  }

  /// The same, with HTTPS on `host:port` if there is a certificate; its files are watched for
  /// changes.
  public static HttpServer start(
      String host,
      int port,
      Path socket,
      RequestPipeline listener,
      @Nullable ServerCertificate certificate) {
    requireFree(host, port);
    try {
      // This daemon holds the lock of the data directory, so the socket file is left from a dead
      // daemon.
      Files.deleteIfExists(socket);
      var config =
          WebServer.builder()
              .host(host)
              .port(port)
              .shutdownHook(false)
              .routing(routing -> route(routing, listener))
              .shutdownGracePeriod(Duration.ofSeconds(5))
              .directHandlers(problems())
              .protocolsDiscoverServices(false)
              .addConnectionSelector(http(listener))
              .connectionOptions(promptly())
              // Helidon writes to NIO channels in pieces of 8 KB, each of which wakes the client.
              .useNio(false)
              .putSocket("unix", unix(socket, listener));
      if (certificate != null) {
        config.tls(certificate.tls()).putSocket(LOOPBACK, loopback(listener));
      }
      var server = config.build().start();
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new HttpServer(server, socket, certificate);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ListenerConfig unix(Path socket, RequestPipeline listener) {
    return ListenerConfig.builder()
        .bindAddress(UnixDomainSocketAddress.of(socket))
        .routing(routing -> route(routing, listener))
        .directHandlers(problems())
        .protocolsDiscoverServices(false)
        .addConnectionSelector(http(listener))
        .build();
  }

  private static ListenerConfig loopback(RequestPipeline listener) {
    return ListenerConfig.builder()
        .host("127.0.0.1")
        .port(0)
        .routing(routing -> routing.any("/mcp", listener::answer))
        .directHandlers(problems())
        .protocolsDiscoverServices(false)
        .addConnectionSelector(http(listener))
        .connectionOptions(promptly())
        .useNio(false)
        .build();
  }

  /// Disables Nagle's algorithm: otherwise the kernel delays the last part of a long response until
  /// the client has acknowledged the others, up to 40 ms.
  private static SocketOptions promptly() {
    return SocketOptions.builder().tcpNoDelay(true).build();
  }

  private static ServerConnectionSelector http(RequestPipeline listener) {
    var config = Http1Config.builder().addReceiveListener(listener.wire()).build();
    return new RequestHeadTimeout.HeadTimeoutSelector(
        Http1ConnectionSelector.builder().config(config).build(), listener.wire());
  }

  private static void route(HttpRouting.Builder routing, RequestPipeline listener) {
    routing.any(listener::answer);
  }

  /// Errors of Helidon itself (for example a broken request line) have the same format as ours.
  private static DirectHandlers problems() {
    var handlers = DirectHandlers.builder();
    for (var type : DirectHandler.EventType.values()) {
      handlers.addHandler(type, HttpServer::refuse);
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse refuse(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType type,
      Status status,
      ServerResponseHeaders headers,
      String message) {
    // Before the request is parsed, our code cannot have failed.
    boolean isOurs = status.code() == 500 && !request.method().isEmpty();
    Fault fault = isOurs ? HttpErrors.internal() : refusal(status);
    return DirectHandler.TransportResponse.builder()
        .status(status.code() == 500 && !isOurs ? Status.BAD_REQUEST_400 : status)
        .headers(headers)
        .header(HeaderNames.CONTENT_TYPE, "application/json")
        .keepAlive(false)
        .entity(Json.bytes(fault.problem()))
        .build();
  }

  private static Fault refusal(Status status) {
    return switch (status.code()) {
      case 404 ->
          ErrorCode.NOT_FOUND.fault("this port serves only /mcp", "use the address in daemon.json");
      case 414 -> ErrorCode.TOO_LARGE.fault("the URL is too long", "shorten the query");
      case 505 -> ErrorCode.MALFORMED_REQUEST.fault("unsupported HTTP version", "use HTTP/1.1");
      default -> ErrorCode.MALFORMED_REQUEST.fault("the request is not valid HTTP", "see RFC 9112");
    };
  }

  /// Checks that the port is free: Helidon would only log the failure and continue.
  public static void requireFree(String host, int port) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (IOException e) {
      throw ErrorCode.ADDRESS_IN_USE.fault(
          "cannot listen on " + host + ":" + port + ": " + e.getMessage(),
          "check --host, stop the program that uses the port, or set another --port (0: any free port)",
          e);
    }
  }

  public int port() {
    return server.port();
  }

  /// URL at which programs on this machine reach `/mcp` without TLS.
  public String localUrl() {
    return "http://127.0.0.1:" + server.port(LOOPBACK);
  }

  /// Waits for running requests and stops listening.
  @Override
  public void close() {
    if (reloader != null) {
      reloader.close();
    }
    server.stop();
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      LOG.warn("could not remove the socket", "path", socket, "reason", e.getMessage());
    }
  }

  /// Reloads the TLS certificate when its files have changed.
  ///
  /// It compares the contents every two seconds: file system notifications miss files that are
  /// replaced through symbolic links, as Kubernetes and certbot do. Incomplete files, or a
  /// certificate without its matching key, are ignored until they are complete.
  private static final class CertificateReloader implements AutoCloseable {
    private static final Log LOG = Log.of(CertificateReloader.class);
    private static final Duration CHECK_EVERY = Duration.ofSeconds(2);

    private final Consumer<Tls> server;
    private final Thread thread;
    // Only the thread uses these, once it has started.
    private ServerCertificate current;
    private PemText seen;
    private String problem = "";
    private @Nullable ServerCertificate doubted;

    private CertificateReloader(ServerCertificate first, Consumer<Tls> server) {
      this.server = server;
      this.current = first;
      this.seen = first.text();
      this.thread = Thread.ofVirtual().name("certificate").unstarted(this::watch);
    }

    static CertificateReloader start(ServerCertificate first, Consumer<Tls> server) {
      var reloader = new CertificateReloader(first, server);
      reloader.thread.start();
      return reloader;
    }

    private void watch() {
      try {
        while (true) {
          warnIfInvalid();
          Thread.sleep(CHECK_EVERY);
          check();
        }
      } catch (InterruptedException _) {
        // The daemon stops.
      }
    }

    private void check() {
      try {
        PemText now = PemText.read(current.files());
        problem = "";
        if (!now.equals(seen)) {
          seen = now;
          var renewed = ServerCertificate.parse(current.files(), now);
          server.accept(renewed.tls());
          current = renewed;
          LOG.info("TLS certificate reloaded", "expires", renewed.expires());
        }
      } catch (Fault fault) {
        // Logged once, not every two seconds.
        if (!fault.message().equals(problem)) {
          problem = fault.message();
          LOG.warn(
              "TLS certificate not reloaded; the old certificate stays in use", "reason", problem);
        }
      } catch (RuntimeException e) {
        LOG.error("TLS certificate not reloaded; the old certificate stays in use", e);
      }
    }

    private void warnIfInvalid() {
      if (current != doubted && !current.isValidNow()) {
        doubted = current;
        LOG.warn(
            "TLS certificate is expired or not yet valid; clients will reject it",
            "file",
            current.files().certificate(),
            "begins",
            current.begins(),
            "expires",
            current.expires());
      }
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}
