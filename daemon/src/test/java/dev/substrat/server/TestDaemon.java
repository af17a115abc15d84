package dev.substrat.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.config.ConnectionPools;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.config.PublicUrl;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.store.TestDatabase;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A daemon in this JVM on its own database, and a client with the operator's token.
public final class TestDaemon implements AutoCloseable {
  private final Daemon daemon;
  private final Path data;
  private final TestClient client;

  private TestDaemon(DaemonSettings settings, Map<String, String> environment) {
    this.data = settings.data();
    this.daemon = Daemon.start(settings, environment);
    this.client = new TestClient(daemon.url(), read("operator.token").strip());
  }

  public static TestDaemon on(TestDatabase place) {
    return on(place, place.directory(), Map.of());
  }

  /// With another data directory than the database's, or with environment variables.
  public static TestDaemon on(TestDatabase place, Path data, Map<String, String> environment) {
    var settings =
        new DaemonSettings("127.0.0.1", 0, data, place.url().orElse(null), 4, "info", Set.of());
    return new TestDaemon(settings, environment);
  }

  /// A daemon that was started with `--config`.
  public static TestDaemon configured(Path config, Path data) {
    var flags =
        new DaemonSettings.CommandLineFlags(
            config, data, null, null, null, null, null, null, null, null, null, null);
    return new TestDaemon(DaemonSettings.of(flags), Map.of());
  }

  /// A daemon whose custom tools may call services on loopback and read all of `environment`.
  public static TestDaemon reaching(TestDatabase place, Map<String, String> environment) {
    return new TestDaemon(reaching(place, environment.keySet()), environment);
  }

  /// A daemon with `publicUrl` as its public address, which may call services on loopback.
  public static TestDaemon foundAt(TestDatabase place, String publicUrl) {
    var settings = reaching(place, Set.of()).foundAt(PublicUrl.parse(publicUrl));
    return new TestDaemon(settings, Map.of());
  }

  private static DaemonSettings reaching(TestDatabase place, Set<String> variables) {
    return new DaemonSettings(
        "127.0.0.1",
        0,
        place.directory(),
        place.url().orElse(null),
        4,
        "info",
        Set.of(),
        DaemonSettings.SlotShares.ALL,
        DaemonSettings.DEFAULT_LEASE,
        SpaceGuardLimits.DEFAULT,
        false,
        Set.of("127.0.0.1"),
        variables,
        null,
        null,
        null,
        SandboxSettings.DEFAULT,
        DaemonSettings.DEFAULT_STOP_GRACE,
        ConnectionPools.DEFAULT);
  }

  public String url() {
    return daemon.url();
  }

  /// The operator's.
  public String token() {
    return client.token();
  }

  /// The engine, for direct access by tests.
  public Engine engine() {
    return daemon.engine();
  }

  /// All that can be asked of it.
  public List<HttpRoute> routes() {
    return daemon.routes();
  }

  public Path data() {
    return data;
  }

  /// HTTP client with the operator's token.
  public TestClient client() {
    return client;
  }

  /// HTTP client with `token`.
  public TestClient as(String token) {
    return new TestClient(url(), token);
  }

  public TestClient.Answer get(String path) {
    return client.get(path);
  }

  public TestClient.Answer post(String path, String json) {
    return client.post(path, json);
  }

  public TestClient.Answer delete(String path) {
    return client.delete(path);
  }

  /// Creates an agent with a playbook (JSON); its handle is its name.
  public JsonNode createAgent(String name, String playbook) {
    var answer =
        post(
            "/api/agents",
            """
            {"name": "%s", "provider": {"name": "scripted", "playbook": %s}}\
            """
                .formatted(name, playbook));
    if (answer.status() != 201) {
      throw new AssertionError(answer);
    }
    return answer.body();
  }

  /// A file in the data directory.
  public String read(String file) {
    try {
      return Files.readString(data.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits for a stop request.
  public void awaitStop() throws InterruptedException {
    daemon.awaitStop();
  }

  @Override
  public void close() {
    daemon.close();
    client.close();
  }
}
