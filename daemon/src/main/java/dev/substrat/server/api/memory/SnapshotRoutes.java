package dev.substrat.server.api.memory;

import dev.substrat.catalog.template.AgentSnapshot;
import dev.substrat.catalog.template.AgentSnapshots;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.turn.engine.Engine;
import java.util.List;

/// Routes that write saved memory, goals and plans to agents.
public final class SnapshotRoutes {
  private final AgentSnapshots snapshots;

  public SnapshotRoutes(Engine engine) {
    this.snapshots =
        new AgentSnapshots(
            engine.dependencies().database(),
            engine.agents(),
            engine.memory(),
            engine.goalsAndPlans(),
            engine.dependencies().clock());
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
                    + " skipped, goals and plans are added; these also need the scope agents:write.",
                AgentSnapshot.class,
                this::restore)
            .withQuery("dryRun", "true: check everything, change nothing."),
        HttpRoute.write(
            "/api/restore/check",
            Scope.MEMORY_WRITE,
            "Checks whether memory, goals and plans could be restored to a new agent.",
            AgentSnapshot.class,
            exchange ->
                HttpReply.ok(
                    new Restored(
                        true,
                        snapshots.validate(
                            exchange.admission(), null, exchange.body(AgentSnapshot.class))))));
  }

  private HttpReply restore(HttpExchange exchange) {
    String agent = exchange.name("id");
    var snapshot = exchange.body(AgentSnapshot.class);
    if (exchange.flag("dryRun")) {
      return HttpReply.ok(
          new Restored(true, snapshots.validate(exchange.admission(), agent, snapshot)));
    }
    snapshots.restore(exchange.admission(), agent, snapshot);
    return HttpReply.ok(new Restored(false, List.of()));
  }
}
