package dev.substrat.server.api.agents;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetCaps;
import dev.substrat.access.budget.Budgets;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import java.util.List;
import java.util.Map;

/// HTTP routes of budgets.
public final class BudgetRoutes {
  private final Agents agents;
  private final Budgets budgets;

  public BudgetRoutes(Agents agents, Budgets budgets) {
    this.agents = agents;
    this.budgets = budgets;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/api/agents/{id}/budget",
            Scope.AGENTS_READ,
            "Return the budgets that limit an agent: its own budgets and the budgets of its"
                + " ancestors.",
            exchange -> view(agents.require(exchange.name("id")))),
        HttpRoute.write(
            "/api/agents/{id}/budget",
            Scope.AGENTS_WRITE,
            "Set the budget of an agent and all its descendants; messages that waited for budget"
                + " are delivered.",
            BudgetCaps.class,
            this::set));
  }

  private HttpReply set(HttpExchange exchange) {
    BudgetCaps caps = exchange.body(BudgetCaps.class);
    if (caps.equals(BudgetCaps.NONE)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "the body contains no budget",
          "for example {\"usd\":5}; available: usd, tokens, turns, seconds");
    }
    Agent agent = agents.require(exchange.name("id"));
    budgets.set(agent.id(), agent.handle(), caps);
    return view(agent);
  }

  private HttpReply view(Agent agent) {
    return HttpReply.ok(
        Map.of("budgets", budgets.of(agent.id()).stream().map(Budget::json).toList()));
  }
}
