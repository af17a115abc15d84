package dev.substrat.engine;

import dev.substrat.lead.ChildTools;
import dev.substrat.lead.Children;
import dev.substrat.lead.Inspection;
import dev.substrat.lead.Reminders;
import dev.substrat.lead.SelfTools;
import dev.substrat.lead.Subscriptions;
import dev.substrat.lead.WatchTools;
import dev.substrat.message.BroadcastTool;
import dev.substrat.message.CheckInbox;
import dev.substrat.message.Messages;
import dev.substrat.message.SendMessage;
import dev.substrat.team.Agents;
import dev.substrat.tool.Tool;
import dev.substrat.tool.Toolset;
import java.util.ArrayList;

/// The toolset `team`: everything between agents in the tree. It is made of the tools of several
/// packages.
record TeamToolset(
    Messages messages,
    Agents agents,
    Subscriptions subscriptions,
    Reminders reminders,
    Inspection inspection) {

  Toolset of(Ground ground) {
    var mail = messages.ofAgents();
    var children = new Children(ground.database(), agents, ground.events(), ground.clock());
    var tools = new ArrayList<Tool>();
    tools.add(new SendMessage(mail));
    tools.add(new BroadcastTool(mail));
    tools.add(new CheckInbox(ground.database(), messages.delivery(), ground.clock()));
    tools.addAll(new ChildTools(children, inspection, mail).tools());
    tools.addAll(new SelfTools(ground.database(), reminders, messages).tools());
    tools.addAll(new WatchTools(subscriptions).tools());
    return new Toolset("team", tools);
  }
}
