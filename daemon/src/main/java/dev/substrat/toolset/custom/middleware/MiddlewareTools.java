package dev.substrat.toolset.custom.middleware;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.CustomToolRules;
import dev.substrat.team.toolconfig.MiddlewareConfig;
import dev.substrat.tool.DelegatingTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.ToolSource;
import dev.substrat.toolset.custom.ToolExecutor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Applies configured middleware to tools of remote servers.
public final class MiddlewareTools implements ToolSource {
  private static final int MAX_ENTRIES = 1_000;

  private final ToolSource source;
  private final MiddlewareChain around;
  private final Map<AgentId, BuiltTools> built = new ConcurrentHashMap<>();

  public MiddlewareTools(ToolSource source, MiddlewareChain around) {
    this.source = source;
    this.around = around;
  }

  private record BuiltTools(List<Tool> inner, AgentConfig config, List<Tool> tools) {
    /// Both lists are the same objects until they change; equality would compare all tools.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<Tool> others, AgentConfig other) {
      return inner == others && config == other;
    }
  }

  @Override
  public List<Tool> of(Agent agent, Set<String> taken) {
    List<Tool> inner = source.of(agent, taken);
    AgentConfig config = agent.config();
    if (inner.isEmpty() || config.middleware() == null || config.middleware().isEmpty()) {
      return inner;
    }
    BuiltTools known = built.get(agent.id());
    if (known == null || !known.isOf(inner, config)) {
      List<MiddlewareConfig> list = CustomToolRules.middleware(config.middleware());
      known = new BuiltTools(inner, config, inner.stream().map(tool -> wrap(tool, list)).toList());
      if (built.size() >= MAX_ENTRIES) {
        built.clear();
      }
      built.put(agent.id(), known);
    }
    return known.tools();
  }

  @Override
  public Optional<UnavailableTool> withheld(Agent agent, String tool) {
    return source.withheld(agent, tool);
  }

  @Override
  public String unavailableServers(Agent agent) {
    return source.unavailableServers(agent);
  }

  @Override
  public void settle(Agent agent) {
    source.settle(agent);
  }

  private Tool wrap(Tool tool, List<MiddlewareConfig> list) {
    boolean isRepaired = list.stream().anyMatch(one -> one.name().equals("repair"));
    List<MiddlewareConfig> fitting = list.stream().filter(one -> fits(one, tool)).toList();
    return new WrappedTool(tool, around.put(fitting, tool.name(), tool::call), isRepaired);
  }

  /// The list is for all tools of all servers, and what changes something is meant each time.
  private static boolean fits(MiddlewareConfig one, Tool tool) {
    return tool.effect().isReadOnly() || !one.name().equals("cache");
  }

  /// A tool whose calls are executed by `work`, which ends with the tool's own.
  private record WrappedTool(Tool tool, ToolExecutor work, boolean isRepaired)
      implements DelegatingTool {
    @Override
    public ObjectNode repair(ObjectNode arguments) {
      ObjectNode repaired = tool.repair(arguments);
      return isRepaired ? RepairMiddleware.repair(tool.input().json(), repaired) : repaired;
    }

    @Override
    public ToolResult call(ToolCall call, ObjectNode arguments) {
      return work.run(call, arguments);
    }
  }
}
