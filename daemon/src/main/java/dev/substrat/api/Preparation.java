package dev.substrat.api;

import dev.substrat.engine.Engine;
import dev.substrat.provider.PlaybookTools;
import dev.substrat.team.AgentConfig;
import dev.substrat.tool.Toolbox;

/// Checks what somebody wants an agent to be, as far as that can be known before it is, and
/// completes it. Wherever agents come from, people's wishes come through here.
public final class Preparation {
  private final Engine engine;

  public Preparation(Engine engine) {
    this.engine = engine;
  }

  public AgentConfig of(AgentConfig wanted) {
    Toolbox toolbox = engine.toolbox();
    AgentConfig filled = TemplateRoutes.templates(engine).fill(wanted);
    engine.ground().workspaces().require(filled);
    AgentConfig config = engine.providers().prepare(filled);
    engine.gateway().require(config, toolbox.builtIn());
    if (config.serversOrNone().isEmpty()) {
      // What a remote server offers is not known before it is asked.
      PlaybookTools.require(config, toolbox.names(config));
    }
    return config;
  }
}
