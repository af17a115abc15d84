package dev.substrat.daemon;

import dev.substrat.api.AgentRoutes;
import dev.substrat.api.AttachmentRoutes;
import dev.substrat.api.BriefingRoutes;
import dev.substrat.api.BudgetRoutes;
import dev.substrat.api.EventRoutes;
import dev.substrat.api.GoalRoutes;
import dev.substrat.api.MemoryRoutes;
import dev.substrat.api.MessageRoutes;
import dev.substrat.api.PassageRoutes;
import dev.substrat.api.PendingRoutes;
import dev.substrat.api.ProviderRoutes;
import dev.substrat.api.RemoteRoutes;
import dev.substrat.api.RunRoutes;
import dev.substrat.api.SharedBlockRoutes;
import dev.substrat.api.SpaceMessageRoutes;
import dev.substrat.api.SpaceRoutes;
import dev.substrat.api.ToolRoutes;
import dev.substrat.api.WorkspaceRoutes;
import dev.substrat.engine.Engine;
import dev.substrat.http.Route;
import dev.substrat.lead.Agenda;
import dev.substrat.store.Database;
import dev.substrat.team.Tree;
import java.util.ArrayList;
import java.util.List;

/// What people and agents do with the engine, over HTTP.
record EngineRoutes(Engine engine) {

  List<Route> all() {
    Database database = engine.ground().database();
    var agents = engine.agents();
    var credentials = engine.credentials();
    var transcript = engine.transcript();
    var routes = new ArrayList<Route>();
    routes.addAll(
        new AgentRoutes(
                database,
                agents,
                engine.ground().workspaces(),
                engine.providers(),
                engine.toolbox(),
                engine.gateway(),
                credentials,
                engine.inspection())
            .routes());
    routes.add(new ProviderRoutes(engine.providers()).route());
    routes.addAll(new BudgetRoutes(agents, engine.budgets()).routes());
    routes.addAll(new GoalRoutes(engine.intentions(), new Agenda(database)).routes());
    routes.addAll(new BriefingRoutes(engine.prompts()).routes());
    routes.addAll(new MessageRoutes(database, agents, engine.messages()).routes());
    routes.addAll(new MemoryRoutes(database, engine.memory()).routes());
    routes.addAll(new PassageRoutes(engine.memory()).routes());
    routes.addAll(new SharedBlockRoutes(engine.memory().sharedBlocks()).routes());
    routes.addAll(
        new RunRoutes(engine.runs(), agents, transcript, engine.steps(), engine.cancellation())
            .routes());
    routes.addAll(
        new EventRoutes(
                engine.events(),
                agents,
                engine.spaces(),
                () -> database.read(Tree::atWork),
                EventRoutes.HEARTBEAT)
            .routes());
    routes.addAll(ofTools(database));
    return routes;
  }

  /// Where agents and people talk and work, what agents can do beside what is built in, and what
  /// people have to do with it.
  private List<Route> ofTools(Database database) {
    var routes = new ArrayList<Route>();
    routes.addAll(new SpaceRoutes(database, engine.spaces()).routes());
    routes.addAll(new SpaceMessageRoutes(engine.spaces()).routes());
    routes.addAll(
        new ToolRoutes(engine.agents(), engine.toolbox(), engine.externalRuns()).routes());
    routes.addAll(new RemoteRoutes(database, engine.remoteServers()).routes());
    routes.addAll(new WorkspaceRoutes(database, engine.ground().workspaces()).routes());
    routes.add(new AttachmentRoutes(engine.gateway().attachments(), engine.spaces()).route());
    routes.addAll(
        new PendingRoutes(database, engine.pendingCalls(), engine.gateway(), engine.spaces())
            .routes());
    return routes;
  }
}
