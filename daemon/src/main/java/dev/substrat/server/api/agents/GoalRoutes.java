package dev.substrat.server.api.agents;

import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.schedule.DeletionResult;
import dev.substrat.schedule.GoalTools;
import dev.substrat.schedule.Goals;
import dev.substrat.schedule.GoalsAndPlans;
import dev.substrat.schedule.Plans;
import dev.substrat.toolset.team.ScheduledWakeups;
import java.util.List;
import java.util.stream.Stream;

/// HTTP routes of goals, plans and scheduled wake-ups, in the form of the tools.
public final class GoalRoutes {
  private static final int MAX_PAGE_SIZE = 200;

  private final Goals goals;
  private final Plans plans;
  private final ScheduledWakeups agenda;

  public GoalRoutes(GoalsAndPlans goalsAndPlans, ScheduledWakeups agenda) {
    this.goals = goalsAndPlans.goals();
    this.plans = goalsAndPlans.plans();
    this.agenda = agenda;
  }

  public List<HttpRoute> routes() {
    return Stream.of(ofGoals(), ofPlans(), List.of(upcoming())).flatMap(List::stream).toList();
  }

  private List<HttpRoute> ofGoals() {
    return List.of(
        HttpRoute.read(
            "/api/agents/{id}/goals",
            Scope.AGENTS_READ,
            "List an agent's goals, highest priority first.",
            exchange -> HttpReply.ok(goals.list(exchange.name("id")))),
        HttpRoute.write(
            "/api/agents/{id}/goals",
            Scope.AGENTS_WRITE,
            "Create goals of an agent, or change goals by id; all or none.",
            GoalTools.SetGoalsInput.class,
            this::setGoals),
        HttpRoute.remove(
            "/api/agents/{id}/goals/{goal}",
            Scope.AGENTS_WRITE,
            "Delete a goal.",
            exchange ->
                gone("goal", goals.delete(exchange.name("id"), List.of(exchange.name("goal"))))));
  }

  private List<HttpRoute> ofPlans() {
    return List.of(
        HttpRoute.read(
            "/api/agents/{id}/plans",
            Scope.AGENTS_READ,
            "List an agent's plans: active plans by next time, then past plans.",
            exchange -> HttpReply.ok(plans.list(exchange.name("id")))),
        HttpRoute.write(
            "/api/agents/{id}/plans",
            Scope.AGENTS_WRITE,
            "Create plans of an agent, or change plans by id; all or none.",
            GoalTools.SetPlansInput.class,
            this::setPlans),
        HttpRoute.remove(
            "/api/agents/{id}/plans/{plan}",
            Scope.AGENTS_WRITE,
            "Delete a plan, so that it no longer wakes the agent.",
            exchange ->
                gone("plan", plans.delete(exchange.name("id"), List.of(exchange.name("plan"))))));
  }

  private HttpRoute upcoming() {
    return HttpRoute.read(
            "/api/schedules",
            Scope.AGENTS_READ,
            "List scheduled wake-ups of all agents (plans and reminders), by next time.",
            this::upcoming)
        .withQuery("limit", "Maximum number of entries, up to " + MAX_PAGE_SIZE + ".")
        .withQuery("after", "`next` of the previous page.");
  }

  private HttpReply setGoals(HttpExchange exchange) {
    var wanted = exchange.body(GoalTools.SetGoalsInput.class);
    return HttpReply.ok(goals.set(exchange.name("id"), wanted.goals()));
  }

  private HttpReply setPlans(HttpExchange exchange) {
    var wanted = exchange.body(GoalTools.SetPlansInput.class);
    return HttpReply.ok(plans.set(exchange.name("id"), wanted.plans()));
  }

  private static HttpReply gone(String kind, DeletionResult removed) {
    if (removed.deleted().isEmpty()) {
      throw ErrorCode.NOT_FOUND.fault(
          "the agent has no %s %s".formatted(kind, removed.notFound().getFirst()),
          "list the agent's %1$ss (GET /api/agents/{id}/%1$ss, ./substrat %1$s list AGENT)"
              .formatted(kind));
    }
    return HttpReply.noContent();
  }

  private HttpReply upcoming(HttpExchange exchange) {
    return HttpReply.ok(
        agenda.page(exchange.query("after").orElse(""), exchange.limit(MAX_PAGE_SIZE)));
  }
}
