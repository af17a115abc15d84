package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.CelExpression;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.ConfigProblems;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.CustomToolRules;
import dev.substrat.team.toolconfig.McpServerRules;
import dev.substrat.team.toolconfig.MiddlewareConfig;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.ToolExecution;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.ToolSource;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.custom.middleware.MiddlewareChain;
import dev.substrat.toolset.custom.middleware.MiddlewareTools;
import dev.substrat.toolset.custom.middleware.RedactMiddleware;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Entry point of custom tools: validation, building, execution.
public final class CustomTools {
  private static final JsonSchema AGENT = JsonSchema.ofRecord(AgentConfig.class);

  private final CustomToolDependencies parts;
  private final ToolSource tools;
  private final MiddlewareChain withMiddleware;
  private final CallbackUrls callbacks;

  /// `base` is where services reach the daemon.
  public CustomTools(CustomToolDependencies parts, Supplier<String> base) {
    this.parts = parts;
    this.callbacks = new CallbackUrls(parts.database(), parts.clock(), base);
    this.withMiddleware = new MiddlewareChain(parts.clock());
    this.tools = new CustomToolBuilder(this::work, withMiddleware);
  }

  /// Dependencies of custom tools.
  public record CustomToolDependencies(
      Database database,
      EventLog events,
      InstantSource clock,
      PendingCalls calls,
      Spaces spaces,
      GuardedHttpClient outgoing,
      AllowedEnvironment environment,
      SubAgentRunner subAgents) {}

  /// The tools that agents' configurations describe.
  public ToolSource tools() {
    return tools;
  }

  /// The tools of `source`, with what their agents have configured to happen around each call.
  public ToolSource withMiddleware(ToolSource source) {
    return new MiddlewareTools(source, withMiddleware);
  }

  /// Display of visible calls.
  public CallDisplay display() {
    return new SpaceCallDisplay(
        parts.database(), parts.events(), parts.spaces().toolMessages(), parts.clock());
  }

  /// Delivery of later results.
  public PendingCallCompletion answers() {
    return new PendingCallCompletion(
        parts.database(), parts.events(), parts.calls(), parts.spaces().toolMessages());
  }

  /// Callback URLs for services.
  public CallbackUrls callbacks() {
    return callbacks;
  }

  /// Images created by tools.
  public Attachments attachments() {
    return new Attachments(parts.database(), parts.clock());
  }

  /// Rejects a configuration with invalid tools or servers; `taken` are the names of built-in
  /// tools.
  public void require(AgentConfig config, Set<String> taken) {
    var mistakes = new ConfigProblems();
    mistakes.note("/middleware", () -> CustomToolRules.middleware(config.middleware()));
    mistakes.note(
        "/tools",
        () -> CustomToolRules.requireTools(config.toolsOrNone(), taken, parts.environment()));
    mistakes.note(
        "/mcp/servers",
        () -> McpServerRules.requireAll(config.serversOrNone(), parts.environment()));
    mistakes.throwIfAny();
    config.toolsOrNone().stream()
        .map(tool -> tool.executionOrNone().agentConfig())
        .filter(Objects::nonNull)
        .forEach(this::subAgent);
  }

  /// Warnings about accepted tools and servers, for their author.
  public List<String> warnings(AgentConfig config) {
    return Stream.concat(
            CustomToolRules.warnings(config.toolsOrNone(), parts.environment()).stream(),
            McpServerRules.warnings(config.serversOrNone()).stream())
        .toList();
  }

  private ToolExecutor work(CustomToolConfig config, RedactMiddleware redaction) {
    var question = new PendingToolExecutor(parts.database(), parts.calls(), config, redaction);
    if (config.isAnsweredLater()) {
      return question;
    }
    ToolExecution execution = config.executionOrNone();
    JsonNode value = execution.value();
    if (value != null) {
      return (_, arguments) -> fixed(value, arguments);
    }
    if (execution.expression() != null) {
      var expression = CelExpression.compile(execution.expression(), Set.of("input"));
      return (_, arguments) -> done(expression.evaluate(Map.of("input", arguments)));
    }
    if (execution.agentConfig() != null) {
      return new SubAgentWork(parts.subAgents(), subAgent(execution.agentConfig()), execution);
    }
    if (execution.address() == null) {
      return new ImageToolExecutor(parts.outgoing(), parts.environment(), execution, attachments());
    }
    var http = new HttpToolExecutor(parts.outgoing(), parts.environment(), config);
    return config.isExternalCallback()
        ? new WebhookToolExecutor(parts.database(), parts.clock(), question, http, callbacks)
        : http;
  }

  /// A fixed result from the configuration, with placeholders filled in.
  private ToolResult fixed(JsonNode value, ObjectNode arguments) {
    var secrets = new UsedSecrets();
    return done(
        secrets.redact(
            new PlaceholderFiller(parts.environment(), arguments, secrets).value(value)));
  }

  private static ToolResult done(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return new ToolResult.Done(object);
    }
    var result = Json.object();
    return new ToolResult.Done(value.isMissingNode() ? result : result.set("value", value));
  }

  private AgentConfig subAgent(ObjectNode config) {
    AGENT.require(config);
    if (config.hasNonNull("template")) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "/execution/agentConfig/template is not supported for sub-agents",
          "copy the template's configuration into agentConfig");
    }
    return parts.subAgents().prepare(Json.as(config, AgentConfig.class));
  }

  /// Builds the custom tools of agents, once per configuration.
  private static final class CustomToolBuilder implements ToolSource {
    private static final int MOST_KEPT = 1_000;

    private final Map<AgentId, Built> built = new ConcurrentHashMap<>();
    private final Works works;
    private final MiddlewareChain around;

    CustomToolBuilder(Works works, MiddlewareChain around) {
      this.works = works;
      this.around = around;
    }

    /// Creates the implementation of a tool.
    interface Works {
      /// `redaction` is for what comes later than its reply.
      ToolExecutor of(CustomToolConfig config, RedactMiddleware redaction);
    }

    private record Built(AgentConfig config, List<Tool> tools) {
      /// A parsed configuration is the same object until it changes; equality would compare
      /// everything.
      @SuppressWarnings("ReferenceEquality")
      boolean isOf(AgentConfig other) {
        return config == other;
      }
    }

    @Override
    public List<Tool> of(Agent agent, Set<String> taken) {
      AgentConfig config = agent.config();
      if (config.toolsOrNone().isEmpty()) {
        return List.of();
      }
      Built known = built.get(agent.id());
      if (known == null || !known.isOf(config)) {
        known =
            new Built(
                config,
                config.toolsOrNone().stream()
                    .map(tool -> tool(config, tool, agent.isExternal()))
                    .toList());
        if (built.size() >= MOST_KEPT) {
          built.clear();
        }
        built.put(agent.id(), known);
      }
      return known.tools();
    }

    private Tool tool(AgentConfig agent, CustomToolConfig config, boolean isExternal) {
      List<MiddlewareConfig> list =
          CustomToolRules.middleware(
              config.middleware() == null ? agent.middleware() : config.middleware());
      boolean isRepaired = list.stream().anyMatch(one -> one.name().equals("repair"));
      ToolExecutor work =
          around.put(list, config.name(), works.of(config, RedactMiddleware.of(list)));
      return new CustomTool(config, work, isRepaired, isExternal);
    }
  }

  /// Executes a tool by asking a sub-agent. Its answer is the result: as an object if it is JSON,
  /// else as text.
  private record SubAgentWork(SubAgentRunner subAgents, AgentConfig config, ToolExecution execution)
      implements ToolExecutor {

    @Override
    public ToolResult run(ToolCall call, ObjectNode arguments) {
      String said =
          subAgents.run(
              new SubAgentRunner.SubAgentTask(
                  call,
                  config,
                  arguments,
                  Boolean.TRUE.equals(execution.includeContext()),
                  execution.patience()));
      return new ToolResult.Done(result(said));
    }

    private static ObjectNode result(String said) {
      try {
        if (Json.parse(said.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode object) {
          return object;
        }
      } catch (Fault e) {
        // Most sub-agents answer with plain text.
        return Json.object().put("text", said);
      }
      return Json.object().put("text", said);
    }
  }
}
