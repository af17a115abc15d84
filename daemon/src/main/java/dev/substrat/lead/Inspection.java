package dev.substrat.lead;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.budget.BudgetTable;
import dev.substrat.event.Event;
import dev.substrat.event.EventLog;
import dev.substrat.id.AgentId;
import dev.substrat.id.Principal;
import dev.substrat.inbox.Inbox;
import dev.substrat.json.Json;
import dev.substrat.message.Message;
import dev.substrat.message.Messages;
import dev.substrat.message.PendingReplies;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import java.util.List;

/// What a parent, or a person, sees of an agent. Looking consumes nothing.
public final class Inspection {
  private static final int MESSAGES = 20;
  private static final int ACTIVITY = 30;

  private final Database database;
  private final Messages messages;
  private final EventLog events;

  public Inspection(Database database, Messages messages, EventLog events) {
    this.database = database;
    this.messages = messages;
    this.events = events;
  }

  /// A child of `parent`, by name.
  ObjectNode of(Agent parent, String name) {
    return of(database.read(tx -> Tree.requireChild(tx, parent, name)));
  }

  /// Any agent.
  public ObjectNode of(Agent agent) {
    var json = Json.object();
    database.read(tx -> {
      json.put("state", state(tx, agent));
      addBudgets(tx, json, agent);
      json.set("recent_messages", recent(tx, agent));
      json.put("pending_count", Inbox.count(tx, agent.id()));
      json.set("waiting_for", Json.tree(names(tx, PendingReplies.askedBy(tx, agent.id().value()))));
      tx.find(
              "select id from run where agent_id = ? and status = 'running'",
              row -> row.text("id"),
              agent.id().value())
          .ifPresentOrElse(run -> json.put("current_run", run), () -> json.putNull("current_run"));
      return true;
    });
    json.set("activity", activity(agent.id()));
    return json;
  }

  /// What it draws on, and why it gets no turns, if it does not.
  private static void addBudgets(Tx tx, ObjectNode json, Agent agent) {
    BudgetTable.findStop(tx, agent.id()).ifPresent(stop -> json.put("state_reason", stop.reason()));
    ArrayNode budgets = json.putArray("budgets");
    BudgetTable.above(tx, agent.id()).forEach(budget -> budgets.add(budget.json()));
  }

  ObjectNode children(Agent parent) {
    var json = Json.object();
    ArrayNode list = json.putArray("children");
    database.read(tx -> {
      for (Agent child : Tree.children(tx, parent.id())) {
        var line =
            list.addObject()
                .put("name", child.name())
                .put("agent_id", child.id().value())
                .put("role", child.role())
                .put("state", state(tx, child))
                .put("pending_count", Inbox.count(tx, child.id()));
        BudgetTable.findStop(tx, child.id())
            .ifPresent(stop -> line.put("state_reason", stop.reason()));
      }
      return true;
    });
    return json;
  }

  /// `busy` while a turn is under way, `waiting` with an open question of its own, else `idle`.
  public static String state(Tx tx, Agent agent) {
    if (!agent.isAlive()) {
      return "terminated";
    }
    long leases =
        tx.number(
            "select count(*) as n from agent where id = ? and lease_until > " + tx.dialect().now(),
            agent.id().value());
    if (leases > 0) {
      return "busy";
    }
    return PendingReplies.askedBy(tx, agent.id().value()).isEmpty() ? "idle" : "waiting";
  }

  private ArrayNode recent(Tx tx, Agent agent) {
    var list = Json.object().putArray("messages");
    for (Message message : messages.of(tx, agent.id(), MESSAGES)) {
      boolean isOutgoing = message.sender().equals(agent.id().value());
      list.addObject()
          .put("from", name(tx, message.sender()))
          .put("to", name(tx, message.recipient()))
          .put("text", message.text())
          .put("message_id", message.id().value())
          .put("direction", isOutgoing ? "out" : "in")
          .put("at", message.sentAt().toString())
          .put("status", message.status().toString());
    }
    return list;
  }

  private ArrayNode activity(AgentId agent) {
    var list = Json.object().putArray("activity");
    for (Event event : events.newest(agent.value(), ACTIVITY)) {
      var line = list.addObject().put("at", event.at().toString()).put("kind", event.kind());
      for (String key : List.of("turn", "status", "tool", "ok", "from", "to", "stopReason")) {
        if (event.payload().has(key)) {
          line.set(key, event.payload().get(key));
        }
      }
    }
    return list;
  }

  private static List<String> names(Tx tx, List<String> principals) {
    return principals.stream().map(principal -> name(tx, principal)).toList();
  }

  private static String name(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        ? principal
        : Tree.find(tx, principal).map(Agent::name).orElse(principal);
  }
}
