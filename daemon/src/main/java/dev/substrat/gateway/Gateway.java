package dev.substrat.gateway;

import dev.substrat.capability.CapabilityRules;
import dev.substrat.capability.Environment;
import dev.substrat.capability.ToolConfig;
import dev.substrat.event.EventLog;
import dev.substrat.outgoing.Outgoing;
import dev.substrat.pending.PendingCalls;
import dev.substrat.space.Spaces;
import dev.substrat.store.Database;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.Stage;
import dev.substrat.tool.ToolSource;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Supplier;

/// Everything between an agent and a capability that somebody configured.
public final class Gateway {
  private final Parts parts;
  private final ToolSource tools;
  private final Callbacks callbacks;

  /// `base` is where services reach the daemon.
  public Gateway(Parts parts, Supplier<String> base) {
    this.parts = parts;
    this.callbacks = new Callbacks(parts.database(), parts.clock(), base);
    this.tools = new ConfiguredTools(this::work, new Around(parts.clock()));
  }

  /// What the gateway works with.
  public record Parts(
      Database database,
      EventLog events,
      InstantSource clock,
      PendingCalls calls,
      Spaces spaces,
      Outgoing outgoing,
      Environment environment) {}

  /// The tools that agents' configurations describe.
  public ToolSource tools() {
    return tools;
  }

  /// Where people see visible calls.
  public Stage stage() {
    return new SpaceStage(parts.database(), parts.events(), parts.spaces().toolMessages());
  }

  /// How results come that are brought later.
  public Answers answers() {
    return new Answers(
        parts.database(), parts.events(), parts.calls(), parts.spaces().toolMessages());
  }

  /// Where services bring results.
  public Callbacks callbacks() {
    return callbacks;
  }

  /// Refuses a configuration whose tools or servers could not work; `taken` are the names of
  /// built-in tools.
  public void require(AgentConfig config, Set<String> taken) {
    CapabilityRules.middleware(config.middleware());
    CapabilityRules.requireTools(config.toolsOrNone(), taken, parts.environment());
    CapabilityRules.requireServers(config.serversOrNone(), parts.environment());
  }

  private Work work(ToolConfig config) {
    var question = new Question(parts.database(), parts.calls(), config);
    if (config.isAnsweredLater()) {
      return question;
    }
    var http = new HttpWork(parts.outgoing(), parts.environment(), config);
    return config.isHandedOver()
        ? new HandOver(parts.database(), parts.calls(), question, http, callbacks)
        : http;
  }
}
