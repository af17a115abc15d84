package dev.substrat.server.api.agents;

import dev.substrat.http.server.Exchange;
import dev.substrat.http.server.Reply;
import dev.substrat.http.server.Route;
import dev.substrat.platform.identity.Scope;
import dev.substrat.toolset.team.Steering;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Waking and pausing agents, over HTTP.
public final class SteeringRoutes {
  private final Steering steering;

  public SteeringRoutes(Steering steering) {
    this.steering = steering;
  }

  /// A word to go with it.
  public record Poke(@Nullable String text) {}

  /// `gated` is what it shall be from now on.
  public record Gate(boolean gated) {}

  public List<Route> routes() {
    return List.of(
        Route.write(
            "/api/agents/{id}/poke",
            Scope.AGENTS_WRITE,
            "Wakes an agent with a word that asks for no answer.",
            Poke.class,
            this::poke),
        Route.write(
            "/api/agents/{id}/gate",
            Scope.AGENTS_WRITE,
            "Pauses an agent, or lets it go on.",
            Gate.class,
            this::gate));
  }

  private Reply poke(Exchange exchange) {
    var sent = steering.poke(exchange.name("id"), exchange.body(Poke.class).text());
    return Reply.created(Map.of("message_id", sent.id().value(), "status", "poked"));
  }

  private Reply gate(Exchange exchange) {
    boolean gated = exchange.body(Gate.class).gated();
    var agent = steering.gate(exchange.name("id"), gated);
    return Reply.ok(Map.of("agent", agent.handle(), "status", gated ? "gated" : "ungated"));
  }
}
