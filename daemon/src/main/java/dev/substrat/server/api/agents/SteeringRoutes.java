package dev.substrat.server.api.agents;

import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.toolset.team.AgentSteering;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTTP routes to wake and pause agents.
public final class SteeringRoutes {
  private final AgentSteering steering;

  public SteeringRoutes(AgentSteering steering) {
    this.steering = steering;
  }

  /// Text of the wake-up.
  public record PokeRequest(@Nullable String text) {}

  /// `gated`: true to pause the agent.
  public record PauseRequest(boolean gated) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
            "/api/agents/{id}/poke",
            Scope.AGENTS_WRITE,
            "Wake an agent with a text that expects no reply.",
            PokeRequest.class,
            this::poke),
        HttpRoute.write(
            "/api/agents/{id}/gate",
            Scope.AGENTS_WRITE,
            "Pause or resume an agent.",
            PauseRequest.class,
            this::gate));
  }

  private HttpReply poke(HttpExchange exchange) {
    var sent = steering.poke(exchange.name("id"), exchange.body(PokeRequest.class).text());
    return HttpReply.created(Map.of("message_id", sent.id().value(), "status", "poked"));
  }

  private HttpReply gate(HttpExchange exchange) {
    boolean gated = exchange.body(PauseRequest.class).gated();
    var agent = steering.gate(exchange.name("id"), gated);
    return HttpReply.ok(Map.of("agent", agent.handle(), "status", gated ? "gated" : "ungated"));
  }
}
