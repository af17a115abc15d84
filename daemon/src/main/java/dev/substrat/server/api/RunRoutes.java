package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.tool.transcript.RunSteps;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.turn.TurnCancellation;
import dev.substrat.turn.run.CallCounts;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.run.Runs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// HTTP routes of runs, the records of turns.
public final class RunRoutes {
  private static final int PAGE = 200;

  private final Runs runs;
  private final Agents agents;
  private final Transcript transcript;
  private final RunSteps steps;
  private final TurnCancellation cancellation;

  public RunRoutes(
      Runs runs,
      Agents agents,
      Transcript transcript,
      RunSteps steps,
      TurnCancellation cancellation) {
    this.runs = runs;
    this.agents = agents;
    this.transcript = transcript;
    this.steps = steps;
    this.cancellation = cancellation;
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/api/runs", Scope.RUNS_READ, "List turns, newest first.", this::list)
            .withQuery("agent", "Only turns of this agent (id or handle).")
            .withQuery(
                "subject",
                "Only turns about this question (a message id) or these direct messages"
                    + " (dm:SPACE); `usage` is their total usage.")
            .withQuery("limit", "Maximum number of turns, up to 200.")
            .withQuery("before", "`next` of the previous page."),
        HttpRoute.read("/api/runs/{id}", Scope.RUNS_READ, "Return a turn.", this::show),
        HttpRoute.read(
            "/api/runs/{id}/steps",
            Scope.RUNS_READ,
            "List the steps of a turn and the usage of each.",
            exchange -> HttpReply.ok(Map.of("steps", steps.of(run(exchange))))),
        HttpRoute.read(
            "/api/runs/{id}/events",
            Scope.RUNS_READ,
            "List the events of a turn in order, with the time at which the agent got each event.",
            exchange -> HttpReply.ok(Map.of("events", runs.given(run(exchange))))),
        HttpRoute.read(
            "/api/runs/{id}/config",
            Scope.AGENTS_WRITE,
            "Return the agent's configuration at the start of the turn.",
            this::config),
        HttpRoute.write(
            "/api/runs/{id}/cancel",
            Scope.RUNS_WRITE,
            "Cancel a turn; its messages become dead letters and are not retried.",
            null,
            this::cancel),
        HttpRoute.read(
                "/api/runs/{id}/messages",
                Scope.RUNS_READ,
                "List the calls, results and texts of a turn, in order.",
                this::transcript)
            .withQuery("after", "Only entries after this id.")
            .withQuery("limit", "Maximum number of entries, up to 200."));
  }

  private HttpReply list(HttpExchange exchange) {
    AgentId agent = exchange.query("agent").map(this::agent).map(Agent::id).orElse(null);
    int limit = exchange.limit(PAGE);
    String before = exchange.query("before").orElse("");
    var subject = exchange.query("subject");
    List<Run> page =
        subject.isPresent()
            ? runs.about(exchange.caller(), subject.get(), agent, before, limit)
            : runs.before(exchange.caller(), agent, before, limit);
    var usage = subject.isPresent() ? runs.usage(exchange.caller(), subject.get(), agent) : null;
    return HttpReply.ok(
        new Page(counted(page), page.size() < limit ? null : page.getLast().id(), usage));
  }

  /// `next` is the position of the next page, if there may be one.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Page(List<ObjectNode> runs, @Nullable String next, Runs.@Nullable SubjectUsage usage) {}

  /// Adds the numbers of calls, refused calls and failed calls.
  private List<ObjectNode> counted(List<Run> page) {
    Map<String, CallCounts> tallies = runs.tally(page);
    return page.stream()
        .map(run -> {
          var tally = tallies.getOrDefault(run.id(), new CallCounts(run.id(), 0, 0, 0));
          return ((ObjectNode) Json.tree(run))
              .put("calls", tally.calls())
              .put("refusedCalls", tally.refused())
              .put("failedCalls", tally.failed());
        })
        .toList();
  }

  /// Includes terminated agents: their turns stay recorded.
  private Agent agent(String typed) {
    return agents.find(typed).orElseGet(() -> agents.require(typed));
  }

  private HttpReply transcript(HttpExchange exchange) {
    String after = exchange.query("after").orElse("");
    return HttpReply.ok(
        Map.of("messages", transcript.of(run(exchange), after, exchange.limit(PAGE))));
  }

  private HttpReply config(HttpExchange exchange) {
    RunId run = run(exchange);
    return HttpReply.ok(
        runs.config(run)
            .orElseThrow(() ->
                ErrorCode.NOT_FOUND.fault(
                    "run " + run + " has no recorded configuration",
                    "runs of external agents and of older versions have none")));
  }

  private RunId run(HttpExchange exchange) {
    return new RunId(runs.require(exchange.caller(), exchange.name("id")).id());
  }

  private HttpReply cancel(HttpExchange exchange) {
    Principal who = exchange.caller();
    cancellation.cancel(who, runs.require(who, exchange.name("id")));
    return HttpReply.noContent();
  }

  private HttpReply show(HttpExchange exchange) {
    return HttpReply.ok(runs.require(exchange.caller(), exchange.name("id")));
  }
}
