package dev.substrat.server.api.agents;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.toolset.team.AgentCondition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent in a list of many: an [AgentView] without the configuration, except provider and model.
@JsonInclude(JsonInclude.Include.ALWAYS)
record AgentSummary(
    String id,
    String handle,
    String name,
    String role,
    @Nullable String parentId,
    String state,
    AgentCondition condition,
    @Nullable ProviderName provider,
    Instant createdAt,
    long pendingCount,
    List<CallLeases.CallExecution> executing) {

  record ProviderName(String name, @Nullable String model) {}

  static AgentSummary of(AgentView agent) {
    ProviderConfig provider = agent.provider();
    return new AgentSummary(
        agent.id(),
        agent.handle(),
        agent.name(),
        agent.role(),
        agent.parentId(),
        agent.state(),
        agent.condition(),
        provider == null ? null : new ProviderName(provider.name(), provider.model()),
        agent.createdAt(),
        agent.pendingCount(),
        agent.executing());
  }
}
