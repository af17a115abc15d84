package dev.substrat.http.server;

import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.telemetry.Telemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// HTTP server with some routes and short timeouts. Every token authenticates the operator.
public final class TestServer implements AutoCloseable {
  private final RequestPipeline door;
  private final HttpServer server;
  private final Path directory;

  public TestServer(List<HttpRoute> routes, ClientTimeouts patience) {
    this(
        routes,
        patience,
        _ -> Optional.of(new CallerPermissions(new Principal.OperatorPrincipal())));
  }

  private TestServer(List<HttpRoute> routes, ClientTimeouts patience, TokenAuthenticator gate) {
    try {
      this.directory = Files.createTempDirectory("substrat-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.door =
        new RequestPipeline(
            new HttpRouter(routes),
            new OriginCheck(Set.of()),
            gate,
            Telemetry.withoutExport(),
            patience);
    this.server = HttpServer.start("127.0.0.1", 0, directory.resolve("sock"), door);
  }

  /// A server that accepts requests without a token as the operator.
  public static TestServer openToAll(List<HttpRoute> routes, ClientTimeouts patience) {
    return new TestServer(routes, patience, new AcceptAllAuthenticator());
  }

  private static final class AcceptAllAuthenticator implements TokenAuthenticator {
    @Override
    public Optional<CallerPermissions> authenticate(String token) {
      return Optional.of(new CallerPermissions(new Principal.OperatorPrincipal()));
    }

    @Override
    public Optional<CallerPermissions> anonymous() {
      return authenticate("");
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.port();
  }

  int openDeadlines() {
    return door.openDeadlines();
  }

  /// Ends open streams.
  public void announceStop() {
    door.close();
  }

  @Override
  public void close() {
    door.close();
    server.close();
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
