package dev.substrat.server.api.memory;

import dev.substrat.catalog.template.Snapshot;
import dev.substrat.catalog.template.Snapshots;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.turn.engine.Engine;
import java.util.List;

/// Routes that write saved memory, goals and plans to agents.
public final class SnapshotRoutes {
  private final Snapshots snapshots;

  public SnapshotRoutes(Engine engine) {
    this.snapshots =
        new Snapshots(
            engine.ground().database(),
            engine.agents(),
            engine.memory(),
            engine.intentions(),
            engine.ground().clock());
  }

  /// `warnings` are about what is accepted and probably not wanted.
  record Restored(boolean dryRun, List<String> warnings) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
                "/api/agents/{id}/restore",
                Scope.MEMORY_WRITE,
                "Writes saved memory, goals and plans to an agent, all or nothing. Blocks, values"
                    + " and brain entries of the same name are overwritten, passages that exist are"
                    + " skipped, goals and plans are added.",
                Snapshot.class,
                this::restore)
            .taking("dryRun", "true: check everything, change nothing."),
        HttpRoute.write(
            "/api/restore/check",
            Scope.MEMORY_WRITE,
            "Checks whether memory, goals and plans could be restored to a new agent.",
            Snapshot.class,
            exchange ->
                HttpReply.ok(
                    new Restored(true, snapshots.rehearse(null, exchange.body(Snapshot.class))))));
  }

  private HttpReply restore(HttpExchange exchange) {
    String agent = exchange.name("id");
    var snapshot = exchange.body(Snapshot.class);
    if (exchange.flag("dryRun")) {
      return HttpReply.ok(new Restored(true, snapshots.rehearse(agent, snapshot)));
    }
    snapshots.restore(agent, snapshot);
    return HttpReply.ok(new Restored(false, List.of()));
  }
}
