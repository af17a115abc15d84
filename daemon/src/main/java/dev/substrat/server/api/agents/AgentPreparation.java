package dev.substrat.server.api.agents;

import dev.substrat.catalog.template.PortableConfig;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.Fault;
import dev.substrat.provider.scripted.PlaybookToolCheck;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validates and completes the configuration of an agent before it is created or changed.
public final class AgentPreparation {
  private final Engine engine;

  public AgentPreparation(Engine engine) {
    this.engine = engine;
  }

  public AgentConfig of(AgentConfig wanted) {
    AgentConfig filled = TemplateRoutes.templates(engine).fill(wanted);
    engine.dependencies().workspaces().require(filled);
    AgentConfig config = engine.providers().prepare(filled);
    engine.customTools().require(config, engine.pipeline().builtIn());
    if (config.serversOrNone().isEmpty()) {
      // The tools of a remote server are unknown before it is connected.
      playbookTools(config).require(config);
    }
    return config;
  }

  /// Warnings about an accepted configuration; `agent` is its agent, if it exists already.
  public List<String> warnings(AgentConfig config, @Nullable AgentId agent) {
    List<McpServerConfig> servers = config.serversOrNone();
    String names = servers.stream().map(McpServerConfig::name).collect(Collectors.joining(" or "));
    var offered = engine.remoteServers().offers(agent, servers);
    return Stream.of(
            engine.customTools().warnings(config),
            PortableConfig.warnings(config),
            playbookTools(config).warnings(config, offered, "MCP server " + names))
        .flatMap(List::stream)
        .toList();
  }

  private PlaybookToolCheck playbookTools(AgentConfig config) {
    return new PlaybookToolCheck(engine.pipeline().inputs(config));
  }

  /// All problems of a configuration, part by part, so that a form can show them together. The
  /// tools of a playbook depend on other parts and are not checked here.
  public List<Fault> validate(AgentConfig wanted) {
    var found = new ArrayList<Fault>();
    List.<Consumer<AgentConfig>>of(
            TemplateRoutes.templates(engine)::fill,
            engine.dependencies().workspaces()::require,
            engine.providers()::prepare,
            config -> engine.customTools().require(config, engine.pipeline().builtIn()))
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
