package dev.substrat.server.api.agents;

import dev.substrat.http.server.Exchange;
import dev.substrat.http.server.Reply;
import dev.substrat.http.server.Route;
import dev.substrat.platform.identity.Scope;
import dev.substrat.store.Database;
import dev.substrat.team.Tree;
import dev.substrat.team.Versions.Version;
import dev.substrat.team.Versions;
import java.util.List;

/// What agents were like before, over HTTP. To go back to one, PUT its configuration.
public final class VersionRoutes {
  private static final int MOST = 200;

  private final Database database;

  public VersionRoutes(Database database) {
    this.database = database;
  }

  /// Newest first.
  record History(List<Version> versions) {}

  public List<Route> routes() {
    return List.of(
        Route.read(
                "/api/agents/{id}/versions",
                Scope.AGENTS_WRITE,
                "What an agent was like from change to change, newest first.",
                this::list)
            .taking("limit", "How many, at most " + MOST + "."));
  }

  private Reply list(Exchange exchange) {
    int limit = exchange.limit(MOST);
    return Reply.ok(
        database.<History>read(tx ->
            new History(Versions.list(tx, Tree.require(tx, exchange.name("id")).id(), limit))));
  }
}
