package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.provider.TurnView;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.tool.Caller;
import dev.substrat.tool.Fence;
import dev.substrat.tool.ToolReply;
import java.util.List;

/// A turn under way, as its provider may use it.
final class LiveTurn implements TurnView {
  private final Database database;
  private final TurnParts parts;
  private final Caller caller;
  private final List<InboxEvent> events;

  LiveTurn(Database database, TurnParts parts, Caller caller, List<InboxEvent> events) {
    this.database = database;
    this.parts = parts;
    this.caller = caller;
    this.events = List.copyOf(events);
  }

  @Override
  public Agent agent() {
    return caller.agent();
  }

  @Override
  public List<InboxEvent> events() {
    return events;
  }

  @Override
  public void show(InboxEvent event) {
    database.transact(tx -> {
      Fence.require(tx, caller);
      parts.delivery().shown(tx, event);
      return true;
    });
  }

  @Override
  public ToolReply call(String tool, ObjectNode arguments) {
    return parts.toolbox().call(caller, tool, arguments);
  }
}
