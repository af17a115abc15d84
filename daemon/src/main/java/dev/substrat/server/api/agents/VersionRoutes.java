package dev.substrat.server.api.agents;

import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.store.Database;
import dev.substrat.team.AgentTree;
import dev.substrat.team.AgentVersions;
import dev.substrat.team.AgentVersions.AgentVersion;
import java.util.List;

/// HTTP routes of configuration versions. To restore one, PUT its configuration.
public final class VersionRoutes {
  private static final int MAX_COUNT = 200;

  private final Database database;

  public VersionRoutes(Database database) {
    this.database = database;
  }

  /// Versions, newest first.
  record VersionList(List<AgentVersion> versions) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
                "/api/agents/{id}/versions",
                Scope.AGENTS_WRITE,
                "List the versions of an agent's configuration, newest first.",
                this::list)
            .withQuery("limit", "Maximum number of versions, up to " + MAX_COUNT + "."));
  }

  private HttpReply list(HttpExchange exchange) {
    int limit = exchange.limit(MAX_COUNT);
    return HttpReply.ok(
        database.<VersionList>read(tx ->
            new VersionList(
                AgentVersions.list(tx, AgentTree.require(tx, exchange.name("id")).id(), limit))));
  }
}
