package dev.substrat.server.api.agents;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.Token;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Providers;
import dev.substrat.server.api.TokenLimitsConverter;
import dev.substrat.server.api.TokenRoutes;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentDeclaration;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import dev.substrat.team.Skills;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.toolset.team.AgentInspection;
import dev.substrat.turn.engine.Engine;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// HTTP routes of agents.
public final class AgentRoutes {
  private static final int MAX_PAGE_SIZE = 200;
  private static final int LARGEST_SUMMARY = 1_000;
  private static final String DRY_RUN = "true: validate only, change nothing.";

  private final Database database;
  private final Agents agents;
  private final AgentPreparation preparation;
  private final Credentials credentials;
  private final AgentInspection inspection;
  private final Providers providers;
  private final InstantSource clock;
  private final TokenLimitsConverter authority;

  public AgentRoutes(Engine engine) {
    this.database = engine.dependencies().database();
    this.agents = engine.agents();
    this.preparation = new AgentPreparation(engine);
    this.credentials = engine.credentials();
    this.inspection = engine.inspection();
    this.providers = engine.providers();
    this.clock = engine.dependencies().clock();
    this.authority = new TokenLimitsConverter(engine);
  }

  public List<HttpRoute> routes() {
    return List.of(
        listing(),
        HttpRoute.write(
                "/api/agents",
                Scope.AGENTS_WRITE,
                "Create an agent.",
                AgentConfig.class,
                this::create)
            .withQuery("dryRun", DRY_RUN),
        HttpRoute.read("/api/agents/{id}", Scope.AGENTS_READ, "Return an agent.", this::show),
        HttpRoute.replace(
                "/api/agents/{id}",
                Scope.AGENTS_WRITE,
                "Replace an agent's configuration; it takes effect in the next turn.",
                AgentConfig.class,
                this::update)
            .withQuery("dryRun", DRY_RUN),
        HttpRoute.read(
            "/api/agents/{id}/config",
            Scope.AGENTS_WRITE,
            "Return an agent's configuration, in the format that PUT accepts.",
            this::config),
        HttpRoute.read(
            "/api/agents/{id}/activity",
            Scope.AGENTS_READ,
            "Return an agent's state, newest messages, turns and tool calls.",
            this::activity),
        HttpRoute.remove(
            "/api/agents/{id}",
            Scope.AGENTS_WRITE,
            "Terminate an agent and all agents below it.",
            this::terminate),
        tokens());
  }

  private HttpRoute listing() {
    return HttpRoute.read(
            "/api/agents", Scope.AGENTS_READ, "List agents, oldest first.", this::list)
        .withQuery(
            "limit",
            "Maximum number of agents, up to %d; of summaries, up to %d."
                .formatted(MAX_PAGE_SIZE, LARGEST_SUMMARY))
        .withQuery("after", "`next` of the previous page.")
        .withQuery("terminated", "true: include terminated agents.")
        .withQuery("view", "summary: without the configuration, except provider and model.");
  }

  private HttpRoute tokens() {
    return HttpRoute.write(
        "/api/agents/{id}/tokens",
        Scope.TOKENS_WRITE,
        "Create a token for an agent; it is shown once.",
        TokenRoutes.NewToken.class,
        this::token);
  }

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record AgentListPage(List<? extends Record> agents, @Nullable String next) {}

  private HttpReply list(HttpExchange exchange) {
    boolean isBrief = isSummary(exchange);
    int limit = exchange.limit(isBrief ? LARGEST_SUMMARY : MAX_PAGE_SIZE);
    String after = exchange.query("after").orElse("");
    boolean everyone = exchange.flag("terminated");
    List<AgentView> page =
        database.read(tx -> AgentView.of(tx, AgentTree.list(tx, after, limit, everyone), now()));
    return HttpReply.ok(
        new AgentListPage(
            isBrief ? page.stream().map(AgentSummary::of).toList() : page,
            page.size() < limit ? null : page.getLast().id()));
  }

  private static boolean isSummary(HttpExchange exchange) {
    Optional<String> view = exchange.query("view");
    if (view.isPresent() && !view.get().equals("summary")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "view=%s is unknown".formatted(view.get()),
          "use view=summary, or omit it for whole agents");
    }
    return view.isPresent();
  }

  /// Result of a dry run: the handle the agent would have, and the keys that would change.
  record DryRunResult(boolean dryRun, String handle, List<String> changed) {
    DryRunResult(String handle, List<String> changed) {
      this(true, handle, changed);
    }
  }

  private HttpReply create(HttpExchange exchange) {
    boolean dryRun = exchange.flag("dryRun");
    AgentConfig config = preparation.of(exchange.body(AgentConfig.class));
    if (dryRun) {
      Agent agent = database.dryRun(tx -> agents.create(tx, config));
      return HttpReply.ok(doubted(new DryRunResult(agent.handle(), List.of()), config, null));
    }
    Agent agent = agents.create(config);
    AgentView view = database.read(tx -> AgentView.of(tx, agent, now()));
    ObjectNode json = doubted(view, config, null);
    providers.findProblem(agent).ifPresent(why -> json.withArray("warnings").add(why));
    return HttpReply.created(json);
  }

  private HttpReply update(HttpExchange exchange) {
    boolean dryRun = exchange.flag("dryRun");
    AgentConfig wanted = exchange.body(AgentConfig.class);
    AgentId id = agents.require(exchange.name("id")).id();
    AgentConfig config = preparation.of(wanted);
    if (dryRun) {
      var revision = database.dryRun(tx -> agents.update(tx, id.value(), config));
      var rehearsed = new DryRunResult(revision.agent().handle(), revision.changed());
      return HttpReply.ok(doubted(rehearsed, config, id));
    }
    var revision = database.transact(tx -> agents.update(tx, id.value(), config));
    AgentView view = database.read(tx -> AgentView.of(tx, revision.agent(), now()));
    return HttpReply.ok(doubted(view, config, id));
  }

  /// Adds `warnings`, if the configuration was accepted but may be wrong.
  private ObjectNode doubted(Record reply, AgentConfig config, @Nullable AgentId agent) {
    var json = (ObjectNode) Json.tree(reply);
    List<String> doubts = preparation.warnings(config, agent);
    if (!doubts.isEmpty()) {
      doubts.forEach(json.putArray("warnings")::add);
    }
    return json;
  }

  private HttpReply config(HttpExchange exchange) {
    return HttpReply.ok(
        database.<AgentConfig>read(
            tx -> AgentDeclaration.of(tx, AgentTree.require(tx, exchange.name("id")))));
  }

  private HttpReply show(HttpExchange exchange) {
    return HttpReply.ok(
        database.<ObjectNode>read(
            tx -> details(tx, AgentTree.require(tx, exchange.name("id")), exchange.admission())));
  }

  /// Adds what lists do not show: the budgets it draws on, why active skills do not apply, and its
  /// newest final text.
  private ObjectNode details(Tx tx, Agent agent, CallerPermissions caller) {
    var json = (ObjectNode) Json.tree(AgentView.of(tx, agent, now()));
    Skills skills = agent.config().skillSet();
    for (int i = 0; i < skills.all().size(); i++) {
      var shown = (ObjectNode) json.path("skills").path(i);
      skills.reason(skills.all().get(i)).ifPresent(why -> shown.put("inactiveBecause", why));
    }
    ArrayNode budgets = json.putArray("budgets");
    BudgetTable.above(tx, agent.id()).forEach(budget -> budgets.add(budget.json()));
    AgentInspection.findLastSaid(tx, agent.id(), caller)
        .ifPresent(said -> json.set("lastSaid", said));
    return json;
  }

  /// Includes the calls that the daemon executes for the agent, which other agents do not see.
  private HttpReply activity(HttpExchange exchange) {
    Agent agent = agents.require(exchange.name("id"));
    ObjectNode json = inspection.of(agent, exchange.admission());
    json.set("executing", Json.tree(database.read(tx -> CallLeases.of(tx, agent.id().value()))));
    return HttpReply.ok(json);
  }

  private HttpReply terminate(HttpExchange exchange) {
    agents.terminate(exchange.name("id"));
    return HttpReply.noContent();
  }

  private HttpReply token(HttpExchange exchange) {
    var wanted = exchange.body(TokenRoutes.NewToken.class);
    Agent agent = agents.require(exchange.name("id"));
    var holder = new Principal.AgentPrincipal(agent.id());
    Token token =
        credentials.mint(
            exchange.admission(),
            holder,
            wanted.label() == null ? "" : wanted.label(),
            authority.limits(holder, null, wanted.expiresInSeconds()));
    return TokenRoutes.shownOnce(token);
  }

  private Instant now() {
    return clock.instant();
  }
}
