package dev.substrat.server.console.agents;

import dev.substrat.catalog.template.AgentTemplates;
import dev.substrat.http.server.FormData;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.http.server.HttpRoute.RouteHandler;
import dev.substrat.messaging.message.Messages.PersonMessage;
import dev.substrat.platform.identity.Scope;
import dev.substrat.server.console.FlashMessage;
import dev.substrat.server.console.PageReply;
import dev.substrat.server.console.team.AgentDetailReader;
import dev.substrat.team.Agent;
import dev.substrat.toolset.team.AgentSteering;
import dev.substrat.turn.engine.Engine;
import java.util.List;

/// Actions on the page of an agent.
public final class AgentActions {
  private final Engine engine;
  private final AgentSteering steering;
  private final AgentTemplates templates;

  public AgentActions(Engine engine) {
    this.engine = engine;
    this.steering =
        new AgentSteering(engine.dependencies().database(), engine.events(), engine.messages());
    this.templates =
        new AgentTemplates(
            engine.dependencies().database(), engine.events(), engine.dependencies().clock());
  }

  public List<HttpRoute> routes() {
    return List.of(
        action("messages", Scope.MESSAGES_SEND, "Sends a message to an agent.", this::write),
        action("poke", Scope.AGENTS_WRITE, "Wakes an agent.", this::poke),
        action("gate", Scope.AGENTS_WRITE, "Pauses an agent.", exchange -> gate(exchange, true)),
        action(
            "ungate", Scope.AGENTS_WRITE, "Resumes an agent.", exchange -> gate(exchange, false)),
        action("template", Scope.AGENTS_WRITE, "Saves an agent as a template.", this::keep),
        action("terminate", Scope.AGENTS_WRITE, "Terminates an agent.", this::terminate));
  }

  private static HttpRoute action(String name, Scope scope, String summary, RouteHandler handler) {
    return HttpRoute.write("/agents/{handle}/" + name, scope, summary, null, handler);
  }

  private HttpReply write(HttpExchange exchange) {
    FormData form = exchange.form();
    Agent agent = agent(exchange);
    engine
        .messages()
        .fromOperator(
            agent.id().value(),
            new PersonMessage(form.text("text"), true, null),
            form.idempotencyKey());
    boolean isFromBuilder = form.text("back").equals("edit");
    return PageReply.goTo(path(agent) + (isFromBuilder ? "/edit" : ""), FlashMessage.SENT);
  }

  private HttpReply poke(HttpExchange exchange) {
    exchange.form();
    Agent agent = agent(exchange);
    steering.poke(agent.id().value(), null);
    boolean isPaused = engine.read(tx -> AgentDetailReader.isPaused(tx, agent.id().value()));
    return PageReply.goTo(path(agent), isPaused ? FlashMessage.POKED_LATER : FlashMessage.POKED);
  }

  private HttpReply gate(HttpExchange exchange, boolean gated) {
    exchange.form();
    Agent agent = agent(exchange);
    steering.gate(agent.id().value(), gated);
    return PageReply.goTo(path(agent), gated ? FlashMessage.GATED : FlashMessage.UNGATED);
  }

  private HttpReply keep(HttpExchange exchange) {
    exchange.form();
    Agent agent = agent(exchange);
    templates.save(agent.handle(), null);
    return PageReply.goTo(path(agent), FlashMessage.SAVED_AS_TEMPLATE);
  }

  private HttpReply terminate(HttpExchange exchange) {
    exchange.form();
    engine.agents().terminate(agent(exchange).id().value());
    return PageReply.goTo("/agents", FlashMessage.TERMINATED);
  }

  private Agent agent(HttpExchange exchange) {
    return engine.agents().require(exchange.name("handle"));
  }

  private static String path(Agent agent) {
    return "/agents/" + agent.handle();
  }
}
