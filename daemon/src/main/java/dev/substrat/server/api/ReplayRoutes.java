package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.team.Agent;
import dev.substrat.turn.replay.Forks;
import dev.substrat.turn.replay.Origin;
import dev.substrat.turn.replay.OtherMind;
import dev.substrat.turn.replay.Replays;
import java.util.List;

/// Runs that happen again, over HTTP.
public final class ReplayRoutes {
  private final Replays replays;
  private final Forks forks;

  public ReplayRoutes(Replays replays, Forks forks) {
    this.replays = replays;
    this.forks = forks;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
            "/api/runs/{id}/replay",
            Scope.RUNS_WRITE,
            "Thinks a turn once more on its record, and tells where it first differs; changes nothing.",
            OtherMind.class,
            exchange ->
                HttpReply.ok(replays.replay(exchange.name("id"), exchange.body(OtherMind.class)))),
        HttpRoute.write(
            "/api/runs/{id}/fork",
            Scope.RUNS_WRITE,
            "Makes a new agent that begins with this turn and goes its own way from a step on.",
            Forks.Wish.class,
            this::fork));
  }

  /// The new agent, and where it comes from.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record ForkView(String id, String handle, String name, Origin forkedFrom) {}

  private HttpReply fork(HttpExchange exchange) {
    String run = exchange.name("id");
    var wish = exchange.body(Forks.Wish.class);
    Agent fork = forks.fork(run, wish);
    return HttpReply.created(
        new ForkView(
            fork.id().value(), fork.handle(), fork.name(), new Origin(run, wish.fromStep())));
  }
}
