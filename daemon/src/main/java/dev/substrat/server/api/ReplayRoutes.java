package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.team.Agent;
import dev.substrat.turn.replay.ForkOrigin;
import dev.substrat.turn.replay.ProviderOverride;
import dev.substrat.turn.replay.RunForks;
import dev.substrat.turn.replay.RunReplays;
import java.util.List;

/// HTTP routes of replays and forks.
public final class ReplayRoutes {
  private final RunReplays replays;
  private final RunForks forks;

  public ReplayRoutes(RunReplays replays, RunForks forks) {
    this.replays = replays;
    this.forks = forks;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
            "/api/runs/{id}/replay",
            Scope.RUNS_WRITE,
            "Replay a recorded turn and return the first difference; changes nothing.",
            ProviderOverride.class,
            exchange ->
                HttpReply.ok(
                    replays.replay(
                        exchange.caller(),
                        exchange.name("id"),
                        exchange.body(ProviderOverride.class)))),
        HttpRoute.write(
            "/api/runs/{id}/fork",
            Scope.RUNS_WRITE,
            "Create a new agent that repeats a recorded turn up to a step and "
                + "continues from there.",
            RunForks.ForkRequest.class,
            this::fork));
  }

  /// The new agent and its origin.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  record ForkView(String id, String handle, String name, ForkOrigin forkedFrom) {}

  private HttpReply fork(HttpExchange exchange) {
    String run = exchange.name("id");
    var request = exchange.body(RunForks.ForkRequest.class);
    Agent fork = forks.fork(exchange.caller(), run, request);
    return HttpReply.created(
        new ForkView(
            fork.id().value(),
            fork.handle(),
            fork.name(),
            new ForkOrigin(run, request.fromStep())));
  }
}
