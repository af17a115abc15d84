package dev.substrat.server.api.agents;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.Skill;
import dev.substrat.team.SkillCategory;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.toolset.team.AgentCondition;
import dev.substrat.toolset.team.AgentInspection;
import dev.substrat.toolset.team.BlockedReason;
import dev.substrat.turn.replay.ForkOrigin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An agent in API responses; `stateReason` is why it gets no turns, and `nextTryAt` the next
/// attempt after a failed one. `condition` contains the same and more for lists. `executing` are
/// its pending calls that the daemon executes.
@JsonInclude(JsonInclude.Include.ALWAYS)
record AgentView(
    String id,
    String handle,
    String name,
    String description,
    String role,
    @Nullable String parentId,
    String state,
    @Nullable String stateReason,
    @Nullable Instant nextTryAt,
    AgentCondition condition,
    @Nullable ProviderConfig provider,
    String systemPrompt,
    List<String> toolsets,
    List<Skill> skills,
    List<SkillCategory> categories,
    List<String> contextRefs,
    List<CustomToolConfig> tools,
    List<McpServerConfig> mcpServers,
    boolean spawned,
    Instant createdAt,
    long pendingCount,
    List<CallLeases.CallExecution> executing,
    @Nullable ForkOrigin forkedFrom) {

  /// Current turn and waiting work of an agent.
  private record Workload(
      String state,
      @Nullable BlockedReason standstill,
      AgentCondition condition,
      long pendingCount) {
    static final Workload NONE = new Workload("idle", null, AgentCondition.NOTHING_TO_DO, 0);

    static Workload of(Tx tx, Agent agent, Instant now) {
      return new Workload(
          AgentInspection.state(tx, agent),
          BlockedReason.of(tx, agent.id()).orElse(null),
          AgentCondition.of(tx, agent, now),
          Inbox.count(tx, agent.id()));
    }
  }

  static AgentView of(Tx tx, Agent agent, Instant now) {
    return of(tx, List.of(agent), now).getFirst();
  }

  /// In the same order. Idle agents need no queries of their own.
  static List<AgentView> of(Tx tx, List<Agent> agents, Instant now) {
    List<String> ids = agents.stream().map(agent -> agent.id().value()).toList();
    Set<AgentId> engaged = AgentCondition.engaged(tx, agents);
    Map<String, List<CallLeases.CallExecution>> executing = CallLeases.of(tx, ids);
    Map<String, ForkOrigin> forks = ForkOrigin.of(tx, ids);
    return agents.stream()
        .map(agent ->
            of(
                agent,
                engaged.contains(agent.id()) ? Workload.of(tx, agent, now) : Workload.NONE,
                executing.getOrDefault(agent.id().value(), List.of()),
                forks.get(agent.id().value())))
        .toList();
  }

  private static AgentView of(
      Agent agent,
      Workload workload,
      List<CallLeases.CallExecution> executing,
      @Nullable ForkOrigin fork) {
    AgentConfig config = agent.config();
    BlockedReason standstill = workload.standstill();
    return new AgentView(
        agent.id().value(),
        agent.handle(),
        agent.name(),
        config.description() == null ? "" : config.description(),
        agent.role(),
        agent.parent() == null ? null : agent.parent().value(),
        workload.state(),
        standstill == null ? null : standstill.reason(),
        standstill == null ? null : standstill.nextTryAt(),
        workload.condition(),
        config.provider(),
        config.systemPrompt() == null ? "" : config.systemPrompt(),
        config.toolsetsOrDefault(),
        config.skillsOrNone(),
        config.categoriesOrNone(),
        config.contextRefsOrNone(),
        config.toolsOrNone(),
        config.serversOrNone(),
        agent.spawned(),
        agent.createdAt(),
        workload.pendingCount(),
        executing,
        fork);
  }
}
