package dev.substrat.api;

import dev.substrat.capability.McpServer;
import dev.substrat.engine.Engine;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.provider.PlaybookTools;
import dev.substrat.team.AgentConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Checks what somebody wants an agent to be, as far as that can be known before it is, and
/// completes it. Wherever agents come from, people's wishes come through here.
public final class Preparation {
  private final Engine engine;

  public Preparation(Engine engine) {
    this.engine = engine;
  }

  /// For an agent that is to be made.
  public AgentConfig of(AgentConfig wanted) {
    return of(wanted, null);
  }

  /// For `agent`, if there is one already.
  public AgentConfig of(AgentConfig wanted, @Nullable AgentId agent) {
    AgentConfig filled = TemplateRoutes.templates(engine).fill(wanted);
    engine.ground().workspaces().require(filled);
    AgentConfig config = engine.providers().prepare(filled);
    engine.gateway().require(config, engine.toolbox().builtIn());
    playbookTools(config).require(config, offers(config, agent));
    return config;
  }

  /// What may be wrong with a configuration that is taken, in words for whoever wrote it.
  public List<String> doubts(AgentConfig config, @Nullable AgentId agent) {
    List<String> servers = config.serversOrNone().stream().map(McpServer::name).toList();
    return offers(config, agent).isPresent()
        ? List.of()
        : playbookTools(config).doubts(config, "MCP server " + String.join(" or ", servers));
  }

  private Optional<Set<String>> offers(AgentConfig config, @Nullable AgentId agent) {
    return engine.remoteServers().offers(agent, config.serversOrNone());
  }

  private PlaybookTools playbookTools(AgentConfig config) {
    return new PlaybookTools(engine.toolbox().inputs(config));
  }

  /// Everything that is wrong with it, as far as its parts can be told apart: whoever fills in a
  /// form is told all at once. Which tools a playbook may call depends on another part, so it is
  /// not among it.
  public List<Fault> faults(AgentConfig wanted) {
    var found = new ArrayList<Fault>();
    List.<Consumer<AgentConfig>>of(
            TemplateRoutes.templates(engine)::fill,
            engine.ground().workspaces()::require,
            engine.providers()::prepare,
            config -> engine.gateway().require(config, engine.toolbox().builtIn()))
        .forEach(check -> {
          try {
            check.accept(wanted);
          } catch (Fault fault) {
            found.add(fault);
          }
        });
    return List.copyOf(found);
  }
}
