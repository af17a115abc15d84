package dev.substrat.daemon;

import dev.substrat.api.AgentRoutes;
import dev.substrat.api.ConsoleRoutes;
import dev.substrat.api.EventRoutes;
import dev.substrat.api.LoginRoutes;
import dev.substrat.api.MessageRoutes;
import dev.substrat.api.OpenApi;
import dev.substrat.api.RunRoutes;
import dev.substrat.api.SystemRoutes;
import dev.substrat.api.TokenRoutes;
import dev.substrat.config.Settings;
import dev.substrat.credential.Credentials;
import dev.substrat.credential.LoginCodes;
import dev.substrat.event.EventLog;
import dev.substrat.http.FrontDoor;
import dev.substrat.http.HttpServer;
import dev.substrat.http.Origins;
import dev.substrat.http.Patience;
import dev.substrat.http.Route;
import dev.substrat.http.Router;
import dev.substrat.id.Principal;
import dev.substrat.lead.ChildTools;
import dev.substrat.lead.Children;
import dev.substrat.lead.Inspection;
import dev.substrat.lead.Reminders;
import dev.substrat.lead.SelfTools;
import dev.substrat.limit.Buckets;
import dev.substrat.log.Log;
import dev.substrat.mcp.McpMethods;
import dev.substrat.mcp.McpRoutes;
import dev.substrat.message.BroadcastTool;
import dev.substrat.message.CheckInbox;
import dev.substrat.message.Messages;
import dev.substrat.message.SendMessage;
import dev.substrat.message.UnreadMail;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Providers;
import dev.substrat.provider.ScriptedProvider;
import dev.substrat.store.Database;
import dev.substrat.team.Agents;
import dev.substrat.team.Tree;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.tool.CallLimits;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolbox;
import dev.substrat.transcript.Transcript;
import dev.substrat.turn.AbandonedTurns;
import dev.substrat.turn.Alarms;
import dev.substrat.turn.Cancellation;
import dev.substrat.turn.ExternalRuns;
import dev.substrat.turn.RunningTurns;
import dev.substrat.turn.Runs;
import dev.substrat.turn.Slots;
import dev.substrat.turn.TurnParts;
import dev.substrat.turn.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/// The whole thing: built top to bottom in the order of the ladder, stopped in reverse.
public final class Daemon implements AutoCloseable {
  private static final Log LOG = Log.of(Daemon.class);

  private final Started started;
  private final CountDownLatch stopWanted = new CountDownLatch(1);
  private final InstantSource clock = InstantSource.system();
  private final Settings settings;
  private final Address address;

  private Daemon(
      Settings settings,
      Map<String, String> environment,
      UnaryOperator<Database> guise,
      Started started)
      throws IOException {
    this.settings = settings;
    this.started = started;
    DataDirectory directory = started.with(DataDirectory.open(settings.data()));
    Telemetry telemetry = started.with(Telemetry.from(environment));
    Database database = started.with(guise.apply(openDatabase(directory)));
    EventLog events = started.with(new EventLog(database, clock));
    var credentials = new Credentials(database, clock);
    var messages = new Messages(database, events, clock);
    var delivery = messages.delivery();
    var running = new RunningTurns(clock);
    var abandoned = new AbandonedTurns(events, delivery, running, clock);
    var agents = new Agents(database, events, clock, abandoned);
    var providers = new Providers(List.of(new ScriptedProvider(), new ExternalProvider()));
    var transcript = new Transcript(database, clock);
    var mail = messages.ofAgents();
    var news = new UnreadMail(database, clock);
    var tools = new ArrayList<Tool>();
    tools.add(new SendMessage(mail));
    tools.add(new BroadcastTool(mail));
    tools.add(new CheckInbox(database, delivery, clock).tool());
    var children = new Children(database, agents, events, clock);
    var inspection = new Inspection(database, messages, events);
    tools.addAll(new ChildTools(children, inspection, mail).tools());
    var reminders = new Reminders(database, clock);
    tools.addAll(new SelfTools(database, reminders, messages, clock).tools());
    var limits = new CallLimits(new Buckets(clock));
    var toolbox =
        new Toolbox(
            tools, new Toolbox.Parts(database, events, transcript, limits, news, telemetry));
    var slots = new Slots(settings.slots());
    var parts =
        new TurnParts(events, delivery, providers, toolbox, transcript, running, telemetry, clock);
    started.with(new Turns(database, events, slots, parts, directory.daemonId(), settings.lease()));
    started.with(
        new Alarms(
            List.of(messages::expire, reminders::fire, running::interruptOverdue), events.bell()));
    telemetry.gauge("substrat.slots.busy", slots::busy);
    telemetry.gauge("substrat.slots", slots::total);

    keepOperatorToken(directory, credentials);
    Path socket = directory.socket();
    this.address = new Address(settings.host(), socket.toString());
    var identity =
        new SystemRoutes.Identity(
            version(), ProcessHandle.current().pid(), address, clock.instant());
    var system =
        new SystemRoutes(identity, database, events, slots, telemetry, stopWanted::countDown);
    var cancellation = new Cancellation(database, events, delivery, running, clock);
    var routes = new ArrayList<Route>();
    routes.addAll(system.routes());
    routes.addAll(new AgentRoutes(database, agents, providers, credentials, inspection).routes());
    routes.addAll(new MessageRoutes(database, agents, messages).routes());
    routes.addAll(new RunRoutes(new Runs(database), agents, transcript, cancellation).routes());
    routes.addAll(new TokenRoutes(credentials).routes());
    routes.addAll(
        new EventRoutes(events, agents, () -> database.read(Tree::atWork), EventRoutes.HEARTBEAT)
            .routes());
    routes.addAll(new LoginRoutes(credentials, new LoginCodes(clock), address).routes());
    routes.addAll(ConsoleRoutes.routes());
    var methods =
        new McpMethods(
            toolbox, agents, new ExternalRuns(database, clock), messages.handOuts(), version());
    routes.addAll(new McpRoutes(methods).routes());
    routes.add(OpenApi.describing(routes, version()));

    var door =
        new FrontDoor(new Router(routes), origins(), credentials, telemetry, Patience.DEFAULT);
    HttpServer server =
        started.with(HttpServer.start(settings.host(), settings.port(), socket, door));
    // Streams wait on the bell; they must notice that the door is closing.
    started.with(() -> {
      door.close();
      events.bell().ring();
    });
    address.listening(server.port());
    directory.announce(
        new DataDirectory.Announcement(
            address.url(), address.socket(), identity.pid(), identity.version()));
    LOG.info("daemon ready", "url", url(), "data", settings.data(), "slots", settings.slots());
  }

  public static Daemon start(Settings settings, Map<String, String> environment) {
    return start(settings, environment, UnaryOperator.identity());
  }

  /// With something between it and its database, such as a death between two of its steps.
  static Daemon start(
      Settings settings, Map<String, String> environment, UnaryOperator<Database> guise) {
    var started = new Started();
    try {
      return new Daemon(settings, environment, guise, started);
    } catch (IOException e) {
      started.closeAll();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      started.closeAll();
      throw e;
    }
  }

  private Database openDatabase(DataDirectory directory) throws IOException {
    String url = settings.database();
    return url == null
        ? Database.embedded(directory.database(), clock)
        : Database.shared(url, clock);
  }

  private Origins origins() {
    var hosts = new HashSet<>(settings.hosts());
    hosts.add(settings.host());
    return new Origins(hosts);
  }

  private static void keepOperatorToken(DataDirectory directory, Credentials credentials)
      throws IOException {
    Optional<String> known = directory.operatorToken();
    if (known.flatMap(credentials::admit).isEmpty()) {
      var token = credentials.mint(new Principal.Operator(), "operator.token");
      directory.writeOperatorToken(token.text());
    }
  }

  public String url() {
    return address.url();
  }

  /// The version in the jar's manifest; a build without one is for development.
  public static String version() {
    String version = Daemon.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  /// Returns when somebody has asked the daemon to stop.
  public void awaitStop() throws InterruptedException {
    stopWanted.await();
  }

  /// Stops gracefully; a second call waits for nothing.
  @Override
  public void close() {
    if (started.closeAll()) {
      LOG.info("daemon stopped", "data", settings.data());
    }
  }
}
