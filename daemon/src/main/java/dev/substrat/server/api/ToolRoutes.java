package dev.substrat.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolSource;
import dev.substrat.turn.run.ExternalRuns;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// HTTP routes of an agent's tools: list them and test them.
public final class ToolRoutes {
  private final Agents agents;
  private final ToolPipeline pipeline;
  private final ExternalRuns runs;

  public ToolRoutes(Agents agents, ToolPipeline toolbox, ExternalRuns runs) {
    this.agents = agents;
    this.pipeline = toolbox;
    this.runs = runs;
  }

  /// A test call of a tool.
  public record ToolTestCall(String agent, @Nullable ObjectNode arguments) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read("/api/tools", Scope.AGENTS_READ, "List the tools of an agent.", this::list)
            .withQuery("agent", "Id or handle of the agent; required."),
        HttpRoute.write(
            "/api/tools/{name}/call",
            Scope.AGENTS_WRITE,
            "Call a custom or remote tool of an agent, as that agent, to test it.",
            ToolTestCall.class,
            this::call));
  }

  /// A tool. `origin` is builtin, configured or remote; `server` is the name of its remote server.
  /// The other fields come from its configuration.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ToolView(
      String name,
      String description,
      String origin,
      @Nullable String server,
      boolean visible,
      @Nullable String executionType,
      JsonNode inputSchema) {}

  /// All tools of an agent.
  record AgentToolList(String agent, List<ToolView> tools) {}

  private HttpReply list(HttpExchange exchange) {
    String whose =
        exchange
            .query("agent")
            .orElseThrow(() ->
                ErrorCode.INVALID_ARGUMENTS.fault(
                    "the query parameter agent is missing", "add ?agent= with a handle or id"));
    Agent agent = agents.require(whose);
    return HttpReply.ok(
        new AgentToolList(
            agent.handle(),
            pipeline.available(agent).stream().map(tool -> view(agent, tool)).toList()));
  }

  private ToolView view(Agent agent, Tool tool) {
    Optional<CustomToolConfig> config = configured(agent, tool.name());
    return new ToolView(
        tool.name(),
        tool.description(),
        origin(agent, tool.name()),
        tool.server(),
        tool.isShown(),
        config.map(one -> one.executionType().toString()).orElse(null),
        tool.input().json());
  }

  private static Optional<CustomToolConfig> configured(Agent agent, String name) {
    return agent.config().toolsOrNone().stream().filter(one -> one.name().equals(name)).findFirst();
  }

  private String origin(Agent agent, String name) {
    if (pipeline.builtIn().contains(name)) {
      return "builtin";
    }
    return configured(agent, name).isPresent() ? "configured" : "remote";
  }

  /// Built-in tools act on messages, memory and the team, so only the agent itself may call them.
  private HttpReply call(HttpExchange exchange) {
    ToolTestCall attempt = exchange.body(ToolTestCall.class);
    String name = exchange.name("name");
    Agent agent = agents.require(attempt.agent());
    if (pipeline.builtIn().contains(name)) {
      throw ErrorCode.FORBIDDEN.fault(
          name + " is a built-in tool, which only " + agent.handle() + " can call",
          "send the agent a message instead: ./substrat send " + agent.handle());
    }
    requireTool(agent, name);
    var call = new ToolCall(runs.caller(agent), 0, MessageId.random().value(), null);
    ObjectNode arguments = attempt.arguments() == null ? Json.object() : attempt.arguments();
    try {
      return HttpReply.ok(pipeline.call(call, name, arguments).reply().json());
    } finally {
      runs.closeTest(agent);
    }
  }

  /// Checked here, because the error of the tool pipeline is written for agents.
  private void requireTool(Agent agent, String name) {
    List<String> tried =
        pipeline.available(agent).stream()
            .map(Tool::name)
            .filter(one -> !pipeline.builtIn().contains(one))
            .toList();
    if (!tried.contains(name)) {
      pipeline
          .withheld(agent, name)
          .ifPresent(one -> {
            throw withheld(agent, name, one);
          });
      throw ErrorCode.UNKNOWN_TOOL.fault(
          "%s has no tool %s".formatted(agent.handle(), name),
          SpellingSuggestion.suggestion(name, tried)
              + "list the agent's tools (GET /api/tools?agent=%1$s, ./substrat tool list %1$s)"
                  .formatted(agent.handle()));
    }
  }

  private static Fault withheld(Agent agent, String name, ToolSource.UnavailableTool one) {
    return ErrorCode.UNKNOWN_TOOL.fault(
        "%s cannot use tool %s now: %s".formatted(agent.handle(), name, one.words()),
        "check the server (GET /api/agents/%1$s/mcp-servers, ./substrat server show %1$s %2$s)"
            .formatted(agent.handle(), one.server()));
  }
}
