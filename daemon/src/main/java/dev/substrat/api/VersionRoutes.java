package dev.substrat.api;

import dev.substrat.access.Scope;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.store.Database;
import dev.substrat.team.Tree;
import dev.substrat.team.Versions;
import dev.substrat.team.Versions.Version;
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
