package dev.substrat.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.credential.Credentials;
import dev.substrat.credential.Token;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.id.Principal;
import dev.substrat.inbox.Inbox;
import dev.substrat.lead.Inspection;
import dev.substrat.provider.Providers;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.team.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Agents over HTTP.
public final class AgentRoutes {
  private static final List<String> DEFAULT_TOOLSETS = List.of("team");

  private final Database database;
  private final Agents agents;
  private final Providers providers;
  private final Credentials credentials;
  private final Inspection inspection;

  public AgentRoutes(
      Database database,
      Agents agents,
      Providers providers,
      Credentials credentials,
      Inspection inspection) {
    this.database = database;
    this.agents = agents;
    this.providers = providers;
    this.credentials = credentials;
    this.inspection = inspection;
  }

  public List<Route> routes() {
    return List.of(
        Route.read("/api/agents", Access.OPERATOR, "All living agents.", _ -> list()),
        Route.write(
            "/api/agents", Access.OPERATOR, "Creates an agent.", AgentConfig.class, this::create),
        Route.read("/api/agents/{id}", Access.OPERATOR, "One agent, by id or handle.", this::show),
        Route.read(
            "/api/agents/{id}/activity",
            Access.OPERATOR,
            "What an agent is doing: state, newest messages, turns and tool calls.",
            exchange -> Reply.ok(inspection.of(agents.require(exchange.name("id"))))),
        Route.remove(
            "/api/agents/{id}",
            Access.OPERATOR,
            "Terminates an agent and everyone below it.",
            this::terminate),
        Route.write(
            "/api/agents/{id}/tokens",
            Access.OPERATOR,
            "Mints a token for the agent; it is shown once.",
            TokenRoutes.NewToken.class,
            this::token));
  }

  /// An agent as people see it.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record AgentView(
      String id,
      String handle,
      String name,
      String description,
      String role,
      @Nullable String parentId,
      String state,
      AgentConfig.@Nullable Mind provider,
      String systemPrompt,
      List<String> toolsets,
      Instant createdAt,
      long pendingCount) {}

  private Reply list() {
    return Reply.ok(
        Map.of(
            "agents",
            database.read(tx -> Tree.list(tx).stream().map(agent -> view(tx, agent)).toList())));
  }

  private Reply create(Exchange exchange) {
    AgentConfig config = providers.prepare(exchange.body(AgentConfig.class));
    Agent agent = agents.create(config);
    return Reply.created(database.<AgentView>read(tx -> view(tx, agent)));
  }

  private Reply show(Exchange exchange) {
    return Reply.ok(
        database.<AgentView>read(tx -> view(tx, Tree.require(tx, exchange.name("id")))));
  }

  private Reply terminate(Exchange exchange) {
    agents.terminate(exchange.name("id"));
    return Reply.noContent();
  }

  private Reply token(Exchange exchange) {
    var wanted = exchange.body(TokenRoutes.NewToken.class);
    Agent agent = agents.require(exchange.name("id"));
    Token token =
        credentials.mint(
            new Principal.OfAgent(agent.id()), wanted.label() == null ? "" : wanted.label());
    return TokenRoutes.shownOnce(token);
  }

  private static AgentView view(Tx tx, Agent agent) {
    AgentConfig config = agent.config();
    return new AgentView(
        agent.id().value(),
        agent.handle(),
        agent.name(),
        config.description() == null ? "" : config.description(),
        agent.role(),
        agent.parent() == null ? null : agent.parent().value(),
        Inspection.state(tx, agent),
        config.provider(),
        config.systemPrompt() == null ? "" : config.systemPrompt(),
        config.toolsets() == null ? DEFAULT_TOOLSETS : config.toolsets(),
        agent.createdAt(),
        Inbox.count(tx, agent.id()));
  }
}
