package dev.substrat.server.api.agents;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.catalog.template.AgentCloner;
import dev.substrat.catalog.template.AgentTemplate;
import dev.substrat.catalog.template.AgentTemplates;
import dev.substrat.catalog.template.PortableConfig;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.Scope;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.turn.engine.Engine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// HTTP routes of templates, clones and exports.
public final class TemplateRoutes {
  private final Database database;
  private final AgentTemplates templates;
  private final AgentCloner clones;

  public TemplateRoutes(Engine engine) {
    this.database = engine.dependencies().database();
    this.templates = templates(engine);
    this.clones =
        new AgentCloner(database, engine.agents(), engine.events(), engine.dependencies().clock());
  }

  static AgentTemplates templates(Engine engine) {
    return new AgentTemplates(
        engine.dependencies().database(), engine.events(), engine.dependencies().clock());
  }

  /// An agent to save as a template.
  public record NewTemplate(
      @JsonPropertyDescription("Id or handle of the agent.") String agent,
      @JsonPropertyDescription("Name of the template. Default: the agent's name.")
          @Nullable String name) {}

  /// All templates.
  record TemplateList(List<AgentTemplate> templates) {}

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.read(
            "/api/templates",
            Scope.AGENTS_WRITE,
            "List templates: built-in templates first, then saved templates.",
            _ -> HttpReply.ok(new TemplateList(templates.list()))),
        HttpRoute.write(
            "/api/templates",
            Scope.AGENTS_WRITE,
            "Save an agent's configuration as a template.",
            NewTemplate.class,
            this::save),
        HttpRoute.remove(
            "/api/templates/{id}", Scope.AGENTS_WRITE, "Delete a saved template.", this::delete),
        HttpRoute.write(
            "/api/agents/{id}/clone",
            Scope.AGENTS_WRITE,
            "Clone an agent as a sibling, without its tokens, messages and runs.",
            AgentCloner.CloneRequest.class,
            this::copy),
        HttpRoute.read(
            "/api/agents/{id}/export",
            Scope.AGENTS_READ,
            "Export an agent's configuration, without its parent and without secrets.",
            this::export));
  }

  private HttpReply save(HttpExchange exchange) {
    var wanted = exchange.body(NewTemplate.class);
    return HttpReply.created(templates.save(wanted.agent(), wanted.name()));
  }

  private HttpReply delete(HttpExchange exchange) {
    templates.delete(exchange.name("id"));
    return HttpReply.noContent();
  }

  private HttpReply copy(HttpExchange exchange) {
    Agent clone = clones.create(exchange.name("id"), exchange.body(AgentCloner.CloneRequest.class));
    return HttpReply.created(
        database.<AgentView>read(tx -> AgentView.of(tx, clone, clone.createdAt())));
  }

  private HttpReply export(HttpExchange exchange) {
    return HttpReply.ok(
        database.<PortableConfig>read(
            tx -> PortableConfig.of(AgentTree.require(tx, exchange.name("id")).config())));
  }
}
