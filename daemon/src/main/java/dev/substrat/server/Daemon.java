package dev.substrat.server;

import dev.substrat.access.person.People;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.server.ClientTimeouts;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.http.server.HttpRouter;
import dev.substrat.http.server.HttpServer;
import dev.substrat.http.server.OriginCheck;
import dev.substrat.http.server.RequestPipeline;
import dev.substrat.http.server.ServerCertificate;
import dev.substrat.http.server.TokenAuthenticator;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.mcp.server.McpRoutes;
import dev.substrat.memory.embedding.PassageVectors;
import dev.substrat.memory.embedding.SemanticIndex;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.memory.search.IndexBackfill;
import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.platform.log.Log;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.platform.sandbox.SharedFileOwnership;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.server.api.HttpApi;
import dev.substrat.server.api.OpenApi;
import dev.substrat.server.api.PeopleRoutes;
import dev.substrat.server.api.ReplayRoutes;
import dev.substrat.server.api.RequestTargetFinder;
import dev.substrat.server.api.SystemRoutes;
import dev.substrat.server.api.TokenRoutes;
import dev.substrat.server.api.memory.SearchRoutes;
import dev.substrat.server.console.ConsolePages;
import dev.substrat.server.health.ActivityMinutes;
import dev.substrat.server.health.MetricsAuthenticator;
import dev.substrat.server.health.QueueGauges;
import dev.substrat.server.health.ReadinessCheck;
import dev.substrat.server.mcp.McpCatalogs;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.toolset.remote.NewServerPolicy;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.AgentEndpoints;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.replay.RunReplays;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/// The daemon: creates and starts all components from the lowest layer up, and stops them in
/// reverse order.
public final class Daemon implements AutoCloseable {
  private static final Log LOG = Log.of(Daemon.class);

  private final CloseStack started;
  private final CountDownLatch stopWanted = new CountDownLatch(1);
  private final InstantSource clock;
  private final DaemonSettings settings;
  private final ListenAddress address;
  private final Engine engine;
  private final Slots slots;
  private final HttpRouter router;
  private final ReadinessCheck readiness;

  private Daemon(
      DaemonSettings settings,
      Map<String, String> environment,
      DaemonClock time,
      UnaryOperator<Database> guise,
      CloseStack started)
      throws IOException {
    this.settings = settings;
    this.clock = time.clock();
    this.started = started;
    ServerCertificate certificate =
        settings.tls() == null ? null : ServerCertificate.read(settings.tls());
    // Checks the port before files are created or migrated. If the data directory exists, the lock
    // is checked first: then the error names the daemon that already runs there.
    if (Files.notExists(settings.data())) {
      HttpServer.requireFree(settings.host(), settings.port());
    }
    DaemonDirectory directory = started.with(DaemonDirectory.open(settings.data()));
    HttpServer.requireFree(settings.host(), settings.port());
    Telemetry telemetry = started.with(Telemetry.from(environment));
    Database database = started.with(guise.apply(openDatabase(directory)));
    EventLog events = started.with(new EventLog(database, clock));
    SemanticIndex meanings =
        started.with(settings.semanticSearch() ? SemanticIndex.offline() : SemanticIndex.off());
    var vectors = new PassageVectors(database, meanings);
    GuardedHttpClient outgoing =
        started.with(
            new GuardedHttpClient(AllowedHosts.parse(settings.allowHosts()), telemetry, version()));
    Sandbox sandbox = Sandbox.onPath(System.getenv().getOrDefault("PATH", ""), settings.sandbox());
    Path socket = directory.socket();
    this.address = new ListenAddress(settings, socket);
    this.engine =
        new Engine(
            new EngineDependencies(
                database,
                events,
                telemetry,
                clock,
                time.pace(),
                settings.guards(),
                new HybridSearch(database, vectors),
                new EngineDependencies.ExternalServices(
                    outgoing,
                    new McpConnector(outgoing, version(), sandbox),
                    new AllowedEnvironment(settings.allowEnv(), environment),
                    address::publicUrl,
                    settings.data(),
                    new NewServerPolicy(
                        settings.remoteTools(),
                        settings.isLoopback(),
                        settings.publicUrl() != null))),
            AgentEndpoints.of(address::mcpUrl, environment));
    requireProviders();
    this.slots = new Slots(Slots.SlotCaps.of(settings));
    telemetry.gauge("substrat.slots.busy", slots::busy);
    telemetry.gauge("substrat.slots", slots::total);
    this.readiness = started.with(ReadinessCheck.watch(database, settings.data()));
    telemetry.gauge("substrat.ready", () -> readiness.isReady() ? 1 : 0);
    started.with(QueueGauges.start(database, telemetry, clock));
    started.with(ActivityMinutes.start(database, clock));

    var credentials = engine.credentials();
    var people = new People(database, events, credentials, clock);
    var operatorToken = new OperatorToken(directory, credentials);
    operatorToken.keep();
    long pid = ProcessHandle.current().pid();
    var identity = new SystemRoutes.DaemonIdentity(version(), pid, address, clock.instant());
    var system =
        new SystemRoutes(
            identity,
            database,
            events,
            slots,
            telemetry,
            readiness,
            new SystemRoutes.ShutdownAction(settings.stopGrace(), stopWanted::countDown));

    var routes = new ArrayList<HttpRoute>();
    routes.addAll(system.routes());
    var console = new ConsolePages(engine, address);
    routes.addAll(console.signInRoutes());
    routes.addAll(new SearchRoutes(meanings).routes());
    routes.addAll(new HttpApi(engine).routes());
    routes.addAll(new McpRoutes(started.with(new McpCatalogs(engine)), version(), clock).routes());
    RunReplays replays = started.with(engine.replays(slots));
    routes.addAll(new ReplayRoutes(replays, engine.forks()).routes());
    routes.addAll(new TokenRoutes(engine, people, operatorToken).routes());
    routes.addAll(new PeopleRoutes(people).routes());
    routes.add(OpenApi.describing(routes, version()));
    // Pages are for people: the description of the API does not mention them.
    routes.addAll(console.pages(new ConsolePages.TurnServices(slots, replays)));
    this.router = new HttpRouter(routes);
    TokenAuthenticator authenticator =
        new MetricsAuthenticator(
            engine.running().standingKeys().withFallback(credentials, engine.running()),
            readiness::isDatabaseDown,
            clock);
    var endpoints =
        new RequestPipeline(
            router,
            origins(),
            new RequestPipeline.PipelineDependencies(
                authenticator, new RequestTargetFinder(database), console.errorPages()),
            telemetry,
            ClientTimeouts.DEFAULT);
    HttpServer server =
        started.with(
            HttpServer.start(settings.host(), settings.port(), socket, endpoints, certificate));
    // Open streams wait for the signal; they must notice that the server stops.
    started.with(() -> {
      endpoints.close();
      events.signal().notifyWaiters();
    });
    // An agent CLI without network calls its tools over this socket.
    SharedFileOwnership.share(socket, settings.sandbox().user(), "rw-rw----");
    address.listening(server);
    // Turns start after the server and stop before it: a provider may need the server during a
    // turn.
    started.with(engine.start(slots, directory.daemonId(), settings.lease(), settings.stopGrace()));
    started.with(vectors.embedder(directory.daemonId()));
    started.with(IndexBackfill.start(database));
    directory.announce(
        new DaemonDirectory.DaemonFileContent(
            address.url(), address.socket(), identity.pid(), identity.version()),
        settings.sandbox().user());
    warn(sandbox);
    LOG.info("daemon ready", "url", url(), "data", settings.data(), "slots", settings.slots());
  }

  /// Warns about problems of the sandbox and the daemon's user before an agent fails because of
  /// them.
  private void warn(Sandbox sandbox) {
    if (sandbox.settings().mode() == SandboxSettings.SandboxMode.REQUIRED && !sandbox.works()) {
      LOG.warn(
          "a sandbox is required but does not work: programs of agents cannot start",
          "reason",
          sandbox.state().detail());
    }
    if (SandboxUser.isDaemonRoot()) {
      LOG.warn(
          "the daemon runs as root: a bug in it can affect the whole machine; run it as an"
              + " unprivileged user",
          "sandboxUid",
          sandbox.settings().user().uid());
    }
  }

  /// The clock of the daemon, and how pauses of agents pass.
  public record DaemonClock(InstantSource clock, TurnSleep pace) {
    static final DaemonClock REAL = new DaemonClock(InstantSource.system(), TurnSleep.REAL);
  }

  public static Daemon start(DaemonSettings settings, Map<String, String> environment) {
    return start(settings, environment, DaemonClock.REAL);
  }

  /// With another clock, for tests.
  public static Daemon start(
      DaemonSettings settings, Map<String, String> environment, DaemonClock time) {
    return start(settings, environment, time, UnaryOperator.identity());
  }

  /// With a wrapped database, for example one that fails between two steps.
  static Daemon start(
      DaemonSettings settings,
      Map<String, String> environment,
      DaemonClock time,
      UnaryOperator<Database> guise) {
    var started = new CloseStack();
    try {
      return new Daemon(settings, environment, time, guise, started);
    } catch (IOException e) {
      started.closeAll();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      started.closeAll();
      throw e;
    }
  }

  private Database openDatabase(DaemonDirectory directory) throws IOException {
    String url = settings.database();
    return url == null
        ? Database.embedded(directory.database(), clock)
        : Database.shared(url, clock, settings.pools());
  }

  /// Rejects slots for an unknown provider: they would limit nothing.
  private void requireProviders() {
    for (String name : settings.shares().perProvider().keySet()) {
      try {
        engine.providers().require(name);
      } catch (Fault fault) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "slotsPerProvider/%s: %s".formatted(name, fault.message()), fault.hint(), fault);
      }
    }
  }

  private OriginCheck origins() {
    var hosts = new HashSet<>(settings.hosts());
    hosts.add(settings.host());
    return new OriginCheck(hosts, settings.publicUrl());
  }

  public String url() {
    return address.url();
  }

  /// The components behind the server, for a caller in the same process.
  public Engine engine() {
    return engine;
  }

  /// All HTTP routes.
  public List<HttpRoute> routes() {
    return router.routes();
  }

  public Slots slots() {
    return slots;
  }

  /// The version in the manifest of the jar; `dev` without one.
  public static String version() {
    String version = Daemon.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  /// Returns when a stop is requested.
  public void awaitStop() throws InterruptedException {
    stopWanted.await();
  }

  /// Stops gracefully; a second call waits until the first is done.
  @Override
  public void close() {
    readiness.stopping();
    if (started.closeAll()) {
      LOG.info("daemon stopped", "data", settings.data());
    }
  }

  /// Stack of started components, closed in reverse order, also when the start fails half-way.
  ///
  /// Safe for many threads: a signal and a request may both stop the daemon.
  private static final class CloseStack {
    private static final Log LOG = Log.of(CloseStack.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T with(T part) {
      parts.push(part);
      return part;
    }

    /// False if everything was already stopped.
    synchronized boolean closeAll() {
      boolean any = !parts.isEmpty();
      while (!parts.isEmpty()) {
        AutoCloseable part = parts.pop();
        try {
          part.close();
        } catch (Exception e) {
          // The other components must be stopped, too.
          LOG.error("cannot stop a component", e, "component", part.getClass().getSimpleName());
        }
      }
      return any;
    }
  }
}
