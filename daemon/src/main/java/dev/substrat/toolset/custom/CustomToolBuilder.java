package dev.substrat.toolset.custom;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.CustomToolRules;
import dev.substrat.team.toolconfig.MiddlewareConfig;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolSource;
import dev.substrat.toolset.custom.middleware.MiddlewareChain;
import dev.substrat.toolset.custom.middleware.RedactMiddleware;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Builds the custom tools of agents, once per configuration.
final class CustomToolBuilder implements ToolSource {
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
    ToolWork of(CustomToolConfig config, RedactMiddleware redaction);
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
    ToolWork work = around.put(list, config.name(), works.of(config, RedactMiddleware.of(list)));
    return new CustomTool(config, work, isRepaired, isExternal);
  }
}
