package dev.substrat.catalog.template;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.memory.BlockCopier;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.team.Agents;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Clones agents: configuration and, on request, memory blocks. Tokens, messages and runs are never
/// copied.
public final class AgentCloner {
  private final Database database;
  private final Agents agents;
  private final EventLog events;
  private final InstantSource clock;

  public AgentCloner(Database database, Agents agents, EventLog events, InstantSource clock) {
    this.database = database;
    this.agents = agents;
    this.events = events;
    this.clock = clock;
  }

  /// Name and handle of the clone, and whether memory blocks are copied.
  public record CloneRequest(
      @JsonPropertyDescription("Name that agents and people see; unique among siblings.")
          String name,
      @JsonPropertyDescription("Unique handle. Default: derived from the name.")
          @Nullable String handle,
      @JsonPropertyDescription("true: copy the memory blocks, too. Default: false.")
          @Nullable Boolean memory) {}

  /// Beside the original, under the same parent.
  public Agent create(String original, CloneRequest request) {
    return database.transact(tx -> {
      Agent pattern = AgentTree.require(tx, original);
      Agent clone = agents.create(tx, config(pattern, request));
      int blocks =
          Boolean.TRUE.equals(request.memory())
              ? BlockCopier.copy(tx, pattern, clone, clock.instant())
              : 0;
      recordClone(tx, pattern, clone, blocks);
      return clone;
    });
  }

  private static AgentConfig config(Agent pattern, CloneRequest request) {
    var config = (ObjectNode) Json.tree(pattern.config());
    config.remove(List.of("handle", "parent"));
    config.put("name", request.name());
    if (request.handle() != null) {
      config.put("handle", request.handle());
    }
    if (pattern.parent() != null) {
      config.put("parent", pattern.parent().value());
    }
    return Json.as(config, AgentConfig.class);
  }

  private void recordClone(Tx tx, Agent pattern, Agent clone, int blocks) {
    events.append(
        tx,
        NewEvent.of("agent_cloned")
            .about(clone.id().value())
            .and(pattern.id().value())
            .with("agent", clone.handle())
            .with("original", pattern.handle())
            .with("blocks", blocks));
  }
}
