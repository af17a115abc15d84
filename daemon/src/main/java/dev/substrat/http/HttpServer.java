package dev.substrat.http;

import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.log.Log;
import dev.substrat.protocol.ErrorCode;
import io.helidon.common.socket.SocketOptions;
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

/// The daemon's ears: one TCP port and one Unix socket, both answered by the same [FrontDoor], each
/// request on a virtual thread of its own.
public final class HttpServer implements AutoCloseable {
  private static final Log LOG = Log.of(HttpServer.class);

  private final WebServer server;
  private final Path socket;

  private HttpServer(WebServer server, Path socket) {
    this.server = server;
    this.socket = socket;
  }

  /// Listens on `host:port` (0 picks a free one) and on the Unix socket `socket`.
  public static HttpServer start(String host, int port, Path socket, FrontDoor door) {
    requireFree(host, port);
    try {
      // Only the daemon that holds the data directory's lock gets here, so it is a dead one's.
      Files.deleteIfExists(socket);
      var server =
          WebServer.builder()
              .host(host)
              .port(port)
              .shutdownHook(false)
              .routing(routing -> route(routing, door))
              .shutdownGracePeriod(Duration.ofSeconds(5))
              .directHandlers(problems())
              .protocolsDiscoverServices(false)
              .addConnectionSelector(http(door))
              .connectionOptions(promptly())
              // Helidon writes to channels in pieces of 8 KB, and each wakes the client.
              .useNio(false)
              .putSocket("unix", unix(socket, door))
              .build()
              .start();
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new HttpServer(server, socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ListenerConfig unix(Path socket, FrontDoor door) {
    return ListenerConfig.builder()
        .bindAddress(UnixDomainSocketAddress.of(socket))
        .routing(routing -> route(routing, door))
        .directHandlers(problems())
        .protocolsDiscoverServices(false)
        .addConnectionSelector(http(door))
        .build();
  }

  /// A long answer is written in parts, and without this the kernel keeps the last one back until
  /// the client has confirmed those before, which it may put off for 40 ms.
  private static SocketOptions promptly() {
    return SocketOptions.builder().tcpNoDelay(true).build();
  }

  private static ServerConnectionSelector http(FrontDoor door) {
    var config = Http1Config.builder().addReceiveListener(door.wire()).build();
    return new TimedConnection.Selector(
        Http1ConnectionSelector.builder().config(config).build(), door.wire());
  }

  private static void route(HttpRouting.Builder routing, FrontDoor door) {
    routing.any(door::answer);
  }

  /// What Helidon itself refuses (a broken request line, say) looks like our own refusals.
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
    // Before there is a request there is nothing of ours that could have broken.
    boolean isOurs = status.code() == 500 && !request.method().isEmpty();
    Fault fault = isOurs ? Failures.internal() : refusal(status);
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
      case 414 ->
          new Fault(ErrorCode.TOO_LARGE, "the address is too long", "send less in the query");
      case 505 -> new Fault(ErrorCode.MALFORMED_REQUEST, "this is not HTTP/1.1", "speak HTTP/1.1");
      default ->
          new Fault(ErrorCode.MALFORMED_REQUEST, "the request is not valid HTTP", "see RFC 9112");
    };
  }

  /// Helidon only logs that it could not bind, with a stack trace, and goes on without.
  public static void requireFree(String host, int port) {
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.ADDRESS_IN_USE,
          "cannot listen on " + host + ":" + port + ": " + e.getMessage(),
          "check --host, stop what uses the port, or choose another with --port (0 picks one)",
          e);
    }
  }

  public int port() {
    return server.port();
  }

  /// Lets requests finish and closes both ears.
  @Override
  public void close() {
    server.stop();
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      LOG.warn("could not remove the socket", "path", socket, "reason", e.getMessage());
    }
  }
}
