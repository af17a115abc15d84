package dev.substrat.access.budget;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import java.util.List;

/// Reads and changes budgets for people.
public final class Budgets {
  private final Database database;
  private final EventLog events;

  public Budgets(Database database, EventLog events) {
    this.database = database;
    this.events = events;
  }

  /// Budgets that an agent draws on, those of the root first.
  public List<Budget> of(AgentId agent) {
    return database.read(tx -> BudgetTable.above(tx, agent));
  }

  /// Sets the caps. If a cap exceeds what was used, stopped agents resume: the event wakes them.
  public void set(AgentId agent, String handle, BudgetCaps caps) {
    database.transact(tx -> {
      BudgetTable.set(tx, agent, caps);
      var event = NewEvent.of("budget_set").about(agent.value()).with("agent", handle);
      for (var cap : caps.amounts().entrySet()) {
        event = event.with(cap.getKey().toString(), cap.getKey().value(cap.getValue()));
      }
      events.append(tx, event);
      return true;
    });
  }
}
