package dev.substrat.toolset.remote;

import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.toolset.remote.PinnedTool.PinDecision;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Compares the tools that a server offers with their approved definitions.
///
/// The tools of a new server are approved as they are, and so is a tool that the configuration
/// names, unless the policy is to review them or a definition is suspicious. Every later
/// difference, including a new tool, needs a person's approval. A tool that is the approved one
/// again is approved again.
record DefinitionPinning(
    Database database, EventLog events, InstantSource clock, NewServerPolicy policy) {

  /// Stores the definitions that the agent's server currently offers.
  void apply(Agent agent, McpServerConfig server, List<ToolDefinition> offered) {
    database.transact(tx -> {
      new DefinitionComparison(tx, agent.id(), server, clock.instant()).at(offered);
      return true;
    });
  }

  /// Compares the offered definitions of one server with the pinned ones, in one transaction.
  private final class DefinitionComparison {
    private final Tx tx;
    private final AgentId agent;
    private final McpServerConfig server;
    private final Instant now;
    private final boolean isReview;
    private boolean changed;

    DefinitionComparison(Tx tx, AgentId agent, McpServerConfig server, Instant now) {
      this.tx = tx;
      this.agent = agent;
      this.server = server;
      this.now = now;
      this.isReview = policy.effective(tx).isReview();
    }

    void at(List<ToolDefinition> offered) {
      String address = ServerAddressResolver.fingerprint(server);
      Optional<ServerTable.ServerState> before = ServerTable.find(tx, agent, server.name());
      boolean isSame = before.filter(one -> one.address().equals(address)).isPresent();
      if (!isSame) {
        PinnedToolTable.delete(tx, agent, server.name());
      }
      boolean isFirst = !isSame || before.get().seenAt() == null;
      Map<String, PinnedTool> known = new HashMap<>();
      PinnedToolTable.of(tx, agent, server.name()).forEach(pin -> known.put(pin.tool(), pin));
      for (ToolDefinition definition : offered) {
        PinnedTool pin = known.remove(definition.name());
        keep(pin == null ? fresh(definition, isFirst) : compared(pin, definition), pin);
      }
      known.values().stream().filter(PinnedTool::isListed).forEach(this::gone);
      ServerTable.seen(tx, agent, server.name(), address, now);
      if (!isSame || !before.get().state().equals("up")) {
        recordChange("remote_server_up", null);
      }
      if (changed || !isSame) {
        PinnedToolTable.touch(tx, agent);
        recordChange("remote_tools_changed", null);
      }
    }

    private PinnedTool fresh(ToolDefinition definition, boolean isFirst) {
      boolean isTrusted = (isFirst || isNamed(definition.name())) && mayTrust(definition);
      return new PinnedTool(
          server.name(),
          definition.name(),
          isTrusted ? definition : null,
          definition,
          isTrusted ? PinDecision.APPROVED : PinDecision.QUARANTINED,
          true);
    }

    /// Whether agents may have it before a person has seen it.
    private boolean mayTrust(ToolDefinition definition) {
      return !isReview && DefinitionFinding.in(definition).isEmpty();
    }

    private PinnedTool compared(PinnedTool pin, ToolDefinition definition) {
      if (pin.isPinned(definition)) {
        return with(pin, pin.pinned(), definition, PinDecision.APPROVED);
      }
      if (pin.pinned() == null
          && isNamed(pin.tool())
          && pin.verdict() != PinDecision.REJECTED
          && mayTrust(definition)) {
        return with(pin, definition, definition, PinDecision.APPROVED);
      }
      return pin.isOffered(definition)
          ? with(pin, pin.pinned(), definition, pin.verdict())
          : with(pin, pin.pinned(), definition, PinDecision.QUARANTINED);
    }

    private static PinnedTool with(
        PinnedTool pin,
        @Nullable ToolDefinition pinned,
        ToolDefinition offered,
        PinDecision verdict) {
      return new PinnedTool(pin.server(), pin.tool(), pinned, offered, verdict, true);
    }

    private void keep(PinnedTool pin, @Nullable PinnedTool before) {
      if (pin.equals(before)) {
        return;
      }
      PinnedToolTable.put(tx, agent, pin, null, now);
      changed = true;
      if (pin.verdict() == PinDecision.QUARANTINED && isWanted(pin.tool())) {
        recordChange("remote_tool_quarantined", pin);
      }
    }

    private void gone(PinnedTool pin) {
      PinnedToolTable.put(
          tx,
          agent,
          new PinnedTool(
              pin.server(), pin.tool(), pin.pinned(), pin.offered(), pin.verdict(), false),
          null,
          now);
      changed = true;
    }

    private void recordChange(String kind, @Nullable PinnedTool pin) {
      NewEvent event = NewEvent.of(kind).about(agent.value()).with("server", server.name());
      events.append(
          tx, pin == null ? event : event.with("tool", pin.tool()).with("reason", pin.reason()));
    }

    private boolean isNamed(String tool) {
      return server.allowedTools() != null && server.allowedTools().contains(tool);
    }

    private boolean isWanted(String tool) {
      return server.allowedTools() == null || server.allowedTools().contains(tool);
    }
  }
}
