package dev.substrat.turn.engine;

import dev.substrat.memory.MemoryFeatures;
import dev.substrat.memory.MemoryTools;
import dev.substrat.memory.MemoryValueTools;
import dev.substrat.messaging.message.BroadcastTool;
import dev.substrat.messaging.message.CheckInboxTool;
import dev.substrat.messaging.message.Messages;
import dev.substrat.messaging.message.SendMessageTool;
import dev.substrat.schedule.GoalsAndPlans;
import dev.substrat.space.Spaces;
import dev.substrat.space.tool.ChannelTools;
import dev.substrat.space.tool.SpaceTools;
import dev.substrat.team.Agent;
import dev.substrat.team.Agents;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolset;
import dev.substrat.toolset.team.AgentInspection;
import dev.substrat.toolset.team.ChildAgents;
import dev.substrat.toolset.team.ChildTools;
import dev.substrat.toolset.team.Reminders;
import dev.substrat.toolset.team.SelfTools;
import dev.substrat.toolset.team.SubscriptionTools;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.toolset.workspace.FileTools;
import dev.substrat.toolset.workspace.RunCommandTool;
import dev.substrat.toolset.workspace.WorkReporter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The built-in tools, by toolset.
record BuiltInTools(
    EngineDependencies dependencies,
    Messages messages,
    Agents agents,
    TurnSubscriptions subscriptions,
    Reminders reminders,
    AgentInspection inspection,
    Spaces spaces,
    MemoryFeatures memory,
    GoalsAndPlans goalsAndPlans,
    WorkReporter workReports) {

  /// `tools` returns all tools of an agent.
  List<Toolset> toolsets(Function<Agent, List<Tool>> tools) {
    List<Tool> control = control();
    return List.of(
        team(control),
        new Toolset("control", control),
        new SpaceTools(dependencies.database(), spaces, tools).toolset(),
        new ChannelTools(dependencies.database(), spaces.messages()).toolset(),
        new Toolset("memory", new MemoryTools(memory).tools()),
        new Toolset("goals", goalsAndPlans.tools()),
        new Toolset("goals", new MemoryValueTools(memory.values()).tools()),
        new Toolset("workspace", new FileTools(dependencies.workspaces()).tools()),
        new Toolset("workspace", List.of(new RunCommandTool(dependencies.workspaces()))));
  }

  /// Tools for agents in the tree.
  private Toolset team(List<Tool> control) {
    var agentMessages = messages.agentMessages();
    var tools = new ArrayList<Tool>();
    tools.add(new SendMessageTool(agentMessages));
    tools.add(new BroadcastTool(agentMessages).tool());
    tools.add(
        new CheckInboxTool(
                dependencies.database(), messages.delivery(), spaces.turns(), dependencies.clock())
            .tool());
    tools.addAll(children().tools());
    tools.addAll(self().tools());
    return new Toolset("team", tools, control);
  }

  /// Agents with the toolset `team` can call these, too: playbooks and programs rely on it.
  private List<Tool> control() {
    var tools = new ArrayList<Tool>();
    tools.addAll(children().control());
    tools.addAll(self().control());
    tools.addAll(new SubscriptionTools(subscriptions).tools());
    return tools;
  }

  private ChildTools children() {
    var children =
        new ChildAgents(
            dependencies.database(),
            agents,
            dependencies.workspaces(),
            dependencies.events(),
            dependencies.clock());
    return new ChildTools(children, inspection, messages.agentMessages());
  }

  private SelfTools self() {
    return new SelfTools(dependencies.database(), reminders, messages, workReports);
  }
}
