package dev.substrat.toolset.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.person.People;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.mcp.client.TestMcpClients;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Agents with remote servers, on an empty database with a manual clock.
final class RemoteServerTeam implements AutoCloseable {
  static final String SECRET = "tide-tables-7";

  private final Map<String, String> variables;
  final TestDatabase place;
  final Database database;
  final SettableClock clock = new SettableClock(Instant.parse("2026-01-05T12:00:00Z"));
  final EventLog events;
  final Agents agents;
  final TestMcpClients visits = new TestMcpClients();
  final RemoteServers remote;

  /// Whether tools of new servers wait for a person; `another` begins with it.
  NewServerPolicy policy = NewServerPolicy.DEFAULT;

  RemoteServerTeam(TestDatabase kind) {
    this(kind, SECRET);
  }

  /// Where the variable TOKEN has this value.
  RemoteServerTeam(TestDatabase kind, String secret) {
    this(kind, Map.of("TOKEN", secret));
  }

  /// With these variables, which may all be used.
  RemoteServerTeam(TestDatabase kind, Map<String, String> variables) {
    this.variables = variables;
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.agents = new Agents(database, events, clock, (_, _) -> {});
    this.remote = another();
  }

  /// The remote tools of another daemon on the same database.
  RemoteServers another() {
    return another(variables);
  }

  /// The same, where the variables are others.
  RemoteServers another(Map<String, String> values) {
    return new RemoteServers(
        new RemoteServers.RemoteServerDependencies(
            database,
            events,
            clock,
            visits.connecting(),
            new AllowedEnvironment(values.keySet(), values),
            place.directory(),
            policy));
  }

  /// An agent with these servers, in YAML.
  Agent agent(String name, String... servers) {
    return agents.create(config(name, servers));
  }

  Agent update(Agent agent, String... servers) {
    return database.transact(
        tx -> agents.update(tx, agent.id().value(), config(agent.name(), servers)).agent());
  }

  private static AgentConfig config(String name, String... servers) {
    String yaml =
        "{name: %s, provider: {name: external}, mcp: {servers: [%s]}}"
            .formatted(name, String.join(", ", servers));
    return Json.as(Yaml.own(yaml), AgentConfig.class);
  }

  static String at(String name, FakeMcpServer server, String... more) {
    return "{name: %s, url: '%s'%s}"
        .formatted(name, server.url(), more.length == 0 ? "" : ", " + String.join(", ", more));
  }

  People people() {
    return new People(database, events, new Credentials(database, events, clock), clock);
  }

  /// Lists the tools of all servers of an agent.
  void look(Agent agent) {
    agent.config().serversOrNone().forEach(server -> remote.refresh(agent, server));
  }

  List<Tool> tools(Agent agent) {
    return remote.of(agent, Set.of("send_message"));
  }

  List<String> names(Agent agent) {
    return tools(agent).stream().map(Tool::name).toList();
  }

  Tool tool(Agent agent, String name) {
    return tools(agent).stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no tool " + name + " in " + names(agent)));
  }

  /// The tool's result for the agent, also if it fails.
  static ObjectNode call(Agent agent, Tool tool) {
    var call = new ToolCall(ToolCaller.external(agent, RunId.random()), 0, "call", null);
    try {
      return tool.call(call, Json.object()).json();
    } catch (Fault fault) {
      return ToolResult.Failed.because(fault).json();
    }
  }

  ObjectNode call(Agent agent, String name) {
    return call(agent, tool(agent, name));
  }

  RemoteServerApprovals.ToolView seen(Agent agent, String server, String tool) {
    return remote.approvals().servers(agent).stream()
        .filter(one -> one.name().equals(server))
        .flatMap(one -> one.tools().stream())
        .filter(one -> one.name().equals(tool))
        .findFirst()
        .orElseThrow();
  }

  /// The operator's decision about the tool `weather` of the server `met`.
  void decide(Agent agent, String hash, RemoteServerApprovals.ApprovalChoice choice) {
    remote
        .approvals()
        .decide(
            agent,
            new RemoteServerApprovals.ApprovalTarget("met", "weather", hash),
            choice,
            "operator");
  }

  long told(String kind) {
    String numbered = "select count(*) as n from event where kind = ?";
    return switch (database.dialect()) {
      case SQLITE -> database.read(tx -> tx.number(numbered, kind));
      case POSTGRES ->
          database.read(tx ->
              tx.number(
                  """
                  select count(*) as n from (
                    select kind from event union all select kind from event_staging
                  ) as told where kind = ?
                  """,
                  kind));
    };
  }

  @Override
  public void close() throws IOException {
    remote.close();
    visits.close();
    events.close();
    database.close();
    place.close();
  }
}
