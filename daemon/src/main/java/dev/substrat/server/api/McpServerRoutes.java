package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.toolset.remote.RemoteServerApprovals;
import dev.substrat.toolset.remote.RemoteServers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// HTTP routes of remote MCP servers: their state, and approvals of their programs and tools.
public final class McpServerRoutes {
  private static final int PAGE = 200;
  private static final String ONE = "/api/agents/{id}/mcp-servers/{server}";

  private final Database database;
  private final RemoteServers servers;
  private final RemoteServerApprovals approvals;

  public McpServerRoutes(Database database, RemoteServers servers) {
    this.database = database;
    this.servers = servers;
    this.approvals = servers.approvals();
  }

  /// A decision about the definition with this hash.
  public record DefinitionDecision(
      @JsonPropertyDescription("Hash of the definition, from the list of servers.") String hash) {}

  /// The servers of one agent.
  public record AgentServers(
      String agentId, String agent, List<RemoteServerApprovals.ServerView> servers) {}

  /// Agents with remote servers. `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AgentServersList(List<AgentServers> agents, @Nullable String next) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/mcp-servers",
                Scope.SERVERS_READ,
                "List the remote MCP servers of all agents, and their tools.",
                this::all)
            .withQuery("limit", "Maximum number of agents, up to " + PAGE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.read(
            "/api/agents/{id}/mcp-servers",
            Scope.SERVERS_READ,
            "List an agent's remote MCP servers and their tools, as approved and as "
                + "currently offered.",
            exchange -> HttpReply.ok(servers(agent(exchange)))),
        HttpRoute.write(
            ONE + "/look",
            Scope.SERVERS_APPROVE,
            "Connect to a server and read its tool list again.",
            null,
            this::refresh),
        HttpRoute.write(
            ONE + "/approve",
            Scope.SERVERS_APPROVE,
            "Approve a server's program with its current configuration.",
            DefinitionDecision.class,
            this::approveCommand),
        HttpRoute.write(
            ONE + "/tools/{tool}/approve",
            Scope.SERVERS_APPROVE,
            "Approve the current version of a tool.",
            DefinitionDecision.class,
            this::approve),
        HttpRoute.write(
            ONE + "/tools/{tool}/reject",
            Scope.SERVERS_APPROVE,
            "Reject the current version of a tool.",
            DefinitionDecision.class,
            this::reject));
  }

  private HttpReply all(HttpExchange exchange) {
    int limit = exchange.limit(PAGE);
    List<Agent> owners = approvals.owners(exchange.query("after").orElse(""), limit);
    return HttpReply.ok(
        new AgentServersList(
            owners.stream()
                .filter(agent -> !agent.config().serversOrNone().isEmpty())
                .map(this::servers)
                .toList(),
            owners.size() < limit ? null : owners.getLast().id().value()));
  }

  private AgentServers servers(Agent agent) {
    return new AgentServers(agent.id().value(), agent.handle(), approvals.servers(agent));
  }

  private Agent agent(HttpExchange exchange) {
    return database.read(tx -> AgentTree.require(tx, exchange.name("id")));
  }

  private HttpReply refresh(HttpExchange exchange) {
    Agent agent = agent(exchange);
    McpServerConfig wanted =
        agent.config().serversOrNone().stream()
            .filter(one -> one.name().equals(exchange.name("server")))
            .findFirst()
            .orElseThrow(() ->
                ErrorCode.NOT_FOUND.fault(
                    "the agent has no MCP server " + exchange.name("server"),
                    "list the agent's servers (GET /api/agents/{id}/mcp-servers, ./substrat server"
                        + " list)"));
    servers.refresh(agent, wanted);
    return HttpReply.ok(servers(agent));
  }

  private HttpReply approveCommand(HttpExchange exchange) {
    String hash = hash(exchange);
    Agent agent = agent(exchange);
    approvals.approveCommand(agent, exchange.name("server"), hash, exchange.caller().key());
    return HttpReply.ok(servers(agent));
  }

  private HttpReply approve(HttpExchange exchange) {
    return decide(exchange, RemoteServerApprovals.ApprovalChoice.APPROVE);
  }

  private HttpReply reject(HttpExchange exchange) {
    return decide(exchange, RemoteServerApprovals.ApprovalChoice.REJECT);
  }

  private HttpReply decide(HttpExchange exchange, RemoteServerApprovals.ApprovalChoice choice) {
    var meant =
        new RemoteServerApprovals.ApprovalTarget(
            exchange.name("server"), exchange.name("tool"), hash(exchange));
    return HttpReply.ok(approvals.decide(agent(exchange), meant, choice, exchange.caller().key()));
  }

  private static String hash(HttpExchange exchange) {
    return exchange.body(DefinitionDecision.class).hash();
  }
}
