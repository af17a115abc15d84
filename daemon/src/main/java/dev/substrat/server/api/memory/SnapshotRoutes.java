package dev.substrat.server.api.memory;

import dev.substrat.catalog.template.AgentSnapshot;
import dev.substrat.catalog.template.SnapshotRestore;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.turn.engine.Engine;
import java.util.List;

/// HTTP routes that restore memory, goals and plans of agents.
public final class SnapshotRoutes {
  private final SnapshotRestore snapshots;

  public SnapshotRoutes(Engine engine) {
    this.snapshots =
        new SnapshotRestore(
            engine.dependencies().database(),
            engine.agents(),
            engine.memory(),
            engine.goalsAndPlans(),
            engine.dependencies().clock());
  }

  /// `warnings` name accepted values that are probably mistakes.
  record RestoreResult(boolean dryRun, List<String> warnings) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
                "/api/agents/{id}/restore",
                Scope.MEMORY_WRITE,
                "Restore memory, goals and plans of an agent, all or nothing. Blocks, values and"
                    + " brain entries of the same name are overwritten, passages that exist are"
                    + " skipped, goals and plans are added. For goals and plans, the token also"
                    + " needs the scope agents:write.",
                AgentSnapshot.class,
                this::restore)
            .withQuery("dryRun", "true: validate only, change nothing."),
        HttpRoute.write(
            "/api/restore/check",
            Scope.MEMORY_WRITE,
            "Check whether memory, goals and plans can be restored to a new agent.",
            AgentSnapshot.class,
            exchange ->
                HttpReply.ok(
                    new RestoreResult(
                        true,
                        snapshots.validate(
                            exchange.admission(), null, exchange.body(AgentSnapshot.class))))));
  }

  private HttpReply restore(HttpExchange exchange) {
    String agent = exchange.name("id");
    var snapshot = exchange.body(AgentSnapshot.class);
    if (exchange.flag("dryRun")) {
      return HttpReply.ok(
          new RestoreResult(true, snapshots.validate(exchange.admission(), agent, snapshot)));
    }
    snapshots.restore(exchange.admission(), agent, snapshot);
    return HttpReply.ok(new RestoreResult(false, List.of()));
  }
}
