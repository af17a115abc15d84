package dev.substrat.api;

import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.id.AgentId;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.turn.Runs;
import java.util.List;
import java.util.Map;

/// The records of turns over HTTP.
public final class RunRoutes {
  private static final int PAGE = 200;

  private final Runs runs;
  private final Agents agents;

  public RunRoutes(Runs runs, Agents agents) {
    this.runs = runs;
    this.agents = agents;
  }

  public List<Route> routes() {
    return List.of(
        Route.read("/api/runs", Access.OPERATOR, "Turns, newest first.", this::list)
            .taking("agent", "Only of this agent, by id or handle.")
            .taking("limit", "How many, 200 at most."),
        Route.read("/api/runs/{id}", Access.OPERATOR, "One turn.", this::show));
  }

  private Reply list(Exchange exchange) {
    AgentId agent = exchange.query("agent").map(agents::require).map(Agent::id).orElse(null);
    return Reply.ok(Map.of("runs", runs.newest(agent, exchange.limit(PAGE))));
  }

  private Reply show(Exchange exchange) {
    return Reply.ok(runs.require(exchange.name("id")));
  }
}
