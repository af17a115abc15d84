package dev.substrat.engine;

import dev.substrat.goal.Intentions;
import dev.substrat.lead.ChildTools;
import dev.substrat.lead.Children;
import dev.substrat.lead.Inspection;
import dev.substrat.lead.Reminders;
import dev.substrat.lead.SelfTools;
import dev.substrat.lead.Subscriptions;
import dev.substrat.lead.WatchTools;
import dev.substrat.memory.Memory;
import dev.substrat.memory.MemoryTools;
import dev.substrat.memory.MemoryValueTools;
import dev.substrat.message.BroadcastTool;
import dev.substrat.message.CheckInbox;
import dev.substrat.message.Messages;
import dev.substrat.message.SendMessage;
import dev.substrat.space.ChannelTools;
import dev.substrat.space.SpaceTools;
import dev.substrat.space.Spaces;
import dev.substrat.team.Agents;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolset;
import dev.substrat.workspace.CommandTool;
import dev.substrat.workspace.FileTools;
import java.util.ArrayList;
import java.util.List;

/// The tools that every daemon has, in their toolsets.
record BuiltIns(
    Ground ground,
    Messages messages,
    Agents agents,
    Subscriptions subscriptions,
    Reminders reminders,
    Inspection inspection,
    Spaces spaces,
    Memory memory,
    Intentions intentions,
    Reach reach) {

  List<Toolset> toolsets() {
    return List.of(
        team(),
        new SpaceTools(ground.database(), spaces).toolset(),
        new ChannelTools(spaces.messages()).toolset(),
        new Toolset("memory", new MemoryTools(memory).tools()),
        new Toolset("goals", intentions.tools()),
        new Toolset("goals", new MemoryValueTools(memory.values()).tools()),
        new Toolset("workspace", new FileTools(ground.workspaces()).tools()),
        new Toolset("workspace", List.of(new CommandTool(ground.workspaces()))));
  }

  /// Everything between agents in the tree.
  private Toolset team() {
    var mail = messages.ofAgents();
    var children =
        new Children(
            ground.database(), agents, ground.workspaces(), ground.events(), ground.clock());
    var tools = new ArrayList<Tool>();
    tools.add(new SendMessage(mail));
    tools.add(new BroadcastTool(mail));
    tools.add(
        new CheckInbox(ground.database(), messages.delivery(), spaces.turns(), ground.clock()));
    tools.addAll(new ChildTools(children, inspection, mail).tools());
    tools.addAll(new SelfTools(ground.database(), reminders, messages, reach.harvest()).tools());
    tools.addAll(new WatchTools(subscriptions).tools());
    return new Toolset("team", tools);
  }
}
