package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.memory.search.HybridSearch;
import dev.substrat.platform.config.SpaceGuardLimits;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.provider.ExternalProvider;
import dev.substrat.provider.Providers;
import dev.substrat.provider.scripted.ScriptedProvider;
import dev.substrat.space.Space;
import dev.substrat.space.SpaceHistory;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.turn.SteppedDispatcher;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Agents with custom tools on an empty database. Turns run one at a time when the test says so, on
/// a manual clock, and a fake service on loopback answers their calls.
final class CustomToolTeam implements AutoCloseable {
  static final String SECRET = "canary-7f3a9d";

  final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final GuardedHttpClient outgoing =
      new GuardedHttpClient(AllowedHosts.parse(Set.of("127.0.0.1")), telemetry, "test");
  final FakeService service = new FakeService();
  final Database database;
  final SettableClock clock = new SettableClock(Instant.ofEpochMilli(System.currentTimeMillis()));
  final EventLog events;
  private final EngineDependencies ground;
  final Engine engine;
  final SteppedDispatcher turns;

  CustomToolTeam(Dialect dialect) {
    this(dialect, SECRET);
  }

  /// Where the variable KEY has this value.
  CustomToolTeam(Dialect dialect, String secret) {
    this(dialect, Map.of("KEY", secret, "HOME", "/root"));
  }

  /// With these variables in the daemon's environment.
  CustomToolTeam(Dialect dialect, Map<String, String> variables) {
    this.place = TestDatabase.fresh(dialect);
    this.database = place.open();
    this.events = new EventLog(database, clock);
    var environment = new AllowedEnvironment(Set.of("KEY", "UNSET"), variables);
    this.ground =
        new EngineDependencies(
            database,
            events,
            telemetry,
            clock,
            TurnSleep.REAL,
            SpaceGuardLimits.DEFAULT,
            HybridSearch.ofWords(database),
            new EngineDependencies.ExternalServices(
                outgoing,
                new McpConnector(outgoing, "dev"),
                environment,
                () -> "http://127.0.0.1",
                Path.of("target")));
    this.engine = another();
    this.turns = new SteppedDispatcher(database, engine.turnParts(), "here");
  }

  /// The parts of another daemon on the same database.
  Engine another() {
    return new Engine(
        ground, new Providers(List.of(new ScriptedProvider(), new ExternalProvider())));
  }

  /// As a person would write it; `SERVICE` is where the service is.
  Agent agent(String yaml) {
    var config = Json.as(Yaml.own(yaml.replace("SERVICE", service.url())), AgentConfig.class);
    engine.customTools().require(config, engine.pipeline().builtIn());
    return engine.agents().create(engine.providers().prepare(config));
  }

  /// An external agent with these tools.
  Agent external(String tools) {
    return agent("name: ada\nprovider: { name: external }\ntools:\n" + tools.indent(2));
  }

  /// A space that the operator made, with `members`.
  Space space(String id, Agent... members) {
    List<String> handles = Stream.of(members).map(Agent::handle).toList();
    return engine
        .spaces()
        .create(
            new Principal.OperatorPrincipal(),
            Spaces.SpaceDefinition.of(id, Space.SpaceKind.PUBLIC, handles));
  }

  JsonNode call(Agent agent, String tool, String arguments) {
    return call(agent, tool, arguments, MessageId.random().value(), ProgressSink.UNHEARD);
  }

  JsonNode call(Agent agent, String tool, String arguments, String key, ProgressSink progress) {
    return reply(agent, tool, arguments, key, progress).json();
  }

  /// A call with a new key.
  JsonNode callOnce(Agent agent, String tool, String arguments) {
    return reply(agent, tool, arguments, null, ProgressSink.UNHEARD).json();
  }

  /// The result with its metadata.
  ToolResult reply(Agent agent, String tool, String arguments) {
    return reply(agent, tool, arguments, MessageId.random().value(), ProgressSink.UNHEARD);
  }

  private ToolResult reply(
      Agent agent, String tool, String arguments, @Nullable String key, ProgressSink progress) {
    var caller = engine.externalRuns().caller(engine.agents().require(agent.id().value()));
    var call = new ToolCall(caller, 0, MessageId.random().value(), key, null, progress);
    var input = (ObjectNode) Json.own(arguments.replace('\'', '"'));
    return engine.pipeline().call(call, tool, input).reply();
  }

  /// Inbox of an external agent.
  List<JsonNode> mail(Agent agent) {
    var mail = new ArrayList<JsonNode>();
    call(agent, "check_inbox", "{}").path("messages").forEach(mail::add);
    return mail;
  }

  /// Runs all ready agents, one turn at a time, until none is ready.
  void runAll() {
    for (List<AgentId> ready = turns.ready(); !ready.isEmpty(); ready = turns.ready()) {
      turns.run(ready.getFirst());
    }
  }

  List<SpaceMessage> messages(String space) {
    var range = new SpaceHistory.HistoryRange(SpaceHistory.MAX_COUNT, null, null);
    return engine
        .spaces()
        .history()
        .read(new Principal.OperatorPrincipal(), space, range)
        .messages();
  }

  /// Calls of tools, as a space shows them.
  List<SpaceMessage> shown(String space) {
    return messages(space).stream()
        .filter(message -> message.kind() == SpaceMessage.SpaceMessageKind.TOOL)
        .toList();
  }

  static ObjectNode metadata(SpaceMessage message) {
    return Objects.requireNonNull(message.metadata());
  }

  /// Kinds of events with this prefix, in the order of the log. On PostgreSQL the newest have no
  /// numbers yet and may get them at any moment, so it is one query.
  List<String> told(String prefix) {
    return events(prefix).stream().map(PublishedEvent::kind).toList();
  }

  /// Payloads of these events.
  List<JsonNode> payloads(String prefix) {
    return events(prefix).stream().map(told -> Json.own(told.payload())).toList();
  }

  private record PublishedEvent(String kind, String payload) {}

  private List<PublishedEvent> events(String prefix) {
    String all =
        database.<Dialect>read(tx -> tx.dialect()) == Dialect.SQLITE
            ? "select kind, payload from event order by seq"
            : """
            select kind, payload from (
              select 0 as part, seq as n, kind, payload from event
              union all select 1, id, kind, payload from event_staging
            ) told order by part, n
            """;
    return database
        .read(tx -> tx.list(all, row -> new PublishedEvent(row.text("kind"), row.text("payload"))))
        .stream()
        .filter(told -> told.kind().startsWith(prefix))
        .toList();
  }

  List<String> rows(String sql, String column) {
    return database.read(tx -> tx.list(sql, row -> row.text(column)));
  }

  @Override
  public void close() throws IOException {
    service.close();
    outgoing.close();
    events.close();
    telemetry.close();
    place.close();
  }
}
