package dev.substrat.server.api;

import dev.substrat.catalog.zoo.AgentZoo;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.server.api.agents.AgentRoutes;
import dev.substrat.server.api.agents.BudgetRoutes;
import dev.substrat.server.api.agents.GoalRoutes;
import dev.substrat.server.api.agents.PromptPreviewRoutes;
import dev.substrat.server.api.agents.SkillRoutes;
import dev.substrat.server.api.agents.SteeringRoutes;
import dev.substrat.server.api.agents.TemplateRoutes;
import dev.substrat.server.api.agents.VersionRoutes;
import dev.substrat.server.api.agents.WorkspaceRoutes;
import dev.substrat.server.api.memory.MemoryRoutes;
import dev.substrat.server.api.memory.PassageRoutes;
import dev.substrat.server.api.memory.SharedBlockRoutes;
import dev.substrat.server.api.memory.SnapshotRoutes;
import dev.substrat.server.api.spaces.SpaceMessageRoutes;
import dev.substrat.server.api.spaces.SpaceRoutes;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.AgentTree;
import dev.substrat.toolset.team.AgentSteering;
import dev.substrat.toolset.team.ScheduledWakeups;
import dev.substrat.turn.engine.Engine;
import java.util.ArrayList;
import java.util.List;

/// All routes of the HTTP API.
public final class HttpApi {
  private final Engine engine;
  private final Database database;
  private final EventLog events;

  public HttpApi(Engine engine) {
    this.engine = engine;
    this.database = engine.dependencies().database();
    this.events = engine.events();
  }

  public List<HttpRoute> routes() {
    var routes = new ArrayList<HttpRoute>();
    routes.addAll(agentRoutes());
    routes.addAll(new MessageRoutes(database, engine.agents(), engine.messages()).routes());
    routes.addAll(new DeliveryRoutes(engine).routes());
    routes.addAll(runRoutes());
    routes.addAll(new SpaceRoutes(database, engine.spaces()).routes());
    routes.addAll(new SpaceMessageRoutes(engine.spaces()).routes());
    routes.addAll(toolRoutes());
    return routes;
  }

  private List<HttpRoute> agentRoutes() {
    var agents = engine.agents();
    var routes = new ArrayList<HttpRoute>();
    routes.addAll(new AgentRoutes(engine).routes());
    routes.addAll(new TemplateRoutes(engine).routes());
    routes.add(new ProviderRoutes(database, engine.providers()).route());
    routes.addAll(new SkillRoutes(database, agents, new AgentZoo(database)).routes());
    routes.addAll(new VersionRoutes(database).routes());
    var steering = new AgentSteering(database, events, engine.messages());
    routes.addAll(new SteeringRoutes(steering).routes());
    routes.addAll(new BudgetRoutes(agents, engine.budgets()).routes());
    routes.addAll(new GoalRoutes(engine.goalsAndPlans(), new ScheduledWakeups(database)).routes());
    routes.addAll(new PromptPreviewRoutes(engine.prompts()).routes());
    routes.addAll(new MemoryRoutes(database, engine.memory()).routes());
    routes.addAll(new PassageRoutes(engine.memory()).routes());
    routes.addAll(new SnapshotRoutes(engine).routes());
    routes.addAll(new SharedBlockRoutes(engine.memory().sharedBlocks()).routes());
    return routes;
  }

  private List<HttpRoute> runRoutes() {
    var agents = engine.agents();
    var routes = new ArrayList<HttpRoute>();
    routes.addAll(
        new RunRoutes(
                engine.runs(), agents, engine.transcript(), engine.steps(), engine.cancellation())
            .routes());
    routes.addAll(
        new EventRoutes(
                events,
                agents,
                engine.spaces(),
                () -> database.read(AgentTree::runningHandles),
                EventRoutes.HEARTBEAT)
            .routes());
    return routes;
  }

  /// Routes of custom and remote tools and their approvals.
  private List<HttpRoute> toolRoutes() {
    var routes = new ArrayList<HttpRoute>();
    routes.addAll(
        new ToolRoutes(engine.agents(), engine.pipeline(), engine.externalRuns()).routes());
    routes.addAll(new McpServerRoutes(database, engine.remoteServers()).routes());
    routes.addAll(
        new WorkspaceRoutes(database, engine.dependencies().workspaces(), engine.providers())
            .routes());
    routes.add(new AttachmentRoutes(engine.customTools().attachments()).route());
    routes.addAll(
        new PendingRoutes(database, engine.pendingCalls(), engine.customTools()).routes());
    return routes;
  }
}
