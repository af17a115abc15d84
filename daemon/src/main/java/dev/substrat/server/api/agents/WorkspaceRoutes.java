package dev.substrat.server.api.agents;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.provider.Providers;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.ProviderConfig;
import dev.substrat.toolset.workspace.WorkspaceList;
import dev.substrat.toolset.workspace.Workspaces;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// HTTP routes of workspaces: list, files, changes, sandbox check.
public final class WorkspaceRoutes {
  private static final String ONE = "/api/workspaces/{agent}";
  private static final int MAX_PAGE_SIZE = 200;
  private static final int MAX_FILES = 1_000;

  private final Database database;
  private final WorkspaceList inventory;

  public WorkspaceRoutes(Database database, Workspaces workspaces, Providers providers) {
    this.database = database;
    this.inventory = new WorkspaceList(database, workspaces, agent -> isProgram(providers, agent));
  }

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record WorkspacePage(
      Sandbox.SandboxState sandbox,
      List<WorkspaceList.WorkspaceSummary> workspaces,
      @Nullable String next) {}

  private static boolean isProgram(Providers providers, Agent agent) {
    ProviderConfig settings = agent.config().provider();
    return settings != null
        && (settings.command() != null
            || providers.all().stream()
                .filter(one -> one.name().equals(settings.name()))
                .anyMatch(one -> one.capabilities().mcpStdio()));
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/workspaces",
                Scope.AGENTS_READ,
                "List the workspaces of agents, and whether the daemon's machine has a sandbox.",
                this::list)
            .withQuery("limit", "Maximum number of entries, up to " + MAX_PAGE_SIZE + ".")
            .withQuery("after", "`next` of the previous page."),
        HttpRoute.read(
            "/api/sandbox",
            Scope.AGENTS_READ,
            "Run the checks of the sandbox, inside a sandbox, and return their results.",
            _ -> HttpReply.ok(inventory.examineSandbox())),
        HttpRoute.read(
                ONE,
                Scope.AGENTS_READ,
                "List files in an agent's workspace, by name.",
                this::contents)
            .withQuery("path", "Directory inside the workspace.")
            .withQuery("limit", "Maximum number of files, up to " + MAX_FILES + "."),
        HttpRoute.read(
            ONE + "/diff",
            Scope.AGENTS_READ,
            "Return the changes that an agent made on its branch.",
            exchange -> HttpReply.ok(inventory.diff(agent(exchange)))));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(MAX_PAGE_SIZE);
    String after = exchange.query("after").orElse("");
    List<Agent> agents = database.read(tx -> AgentTree.list(tx, after, limit, false));
    return HttpReply.ok(
        new WorkspacePage(
            inventory.sandbox(),
            agents.stream().map(inventory::view).toList(),
            agents.size() < limit ? null : agents.getLast().id().value()));
  }

  private HttpReply contents(HttpExchange exchange) {
    String path = exchange.query("path").orElse("");
    return HttpReply.ok(inventory.contents(agent(exchange), path, exchange.limit(MAX_FILES)));
  }

  private Agent agent(HttpExchange exchange) {
    return database.read(tx -> AgentTree.require(tx, exchange.name("agent")));
  }
}
