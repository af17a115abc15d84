package dev.substrat.toolset.team;

import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.Agents;
import org.jspecify.annotations.Nullable;

/// Lets a person wake, pause and resume any agent.
public final class AgentSteering {
  private static final String NUDGE = "The operator wakes you: continue with your open work.";

  private final Database database;
  private final EventLog events;
  private final Messages messages;

  public AgentSteering(Database database, EventLog events, Messages messages) {
    this.database = database;
    this.events = events;
    this.messages = messages;
  }

  /// Wakes an agent with a text that expects no answer.
  public Message poke(String idOrHandle, @Nullable String word) {
    String text = word == null || word.isBlank() ? NUDGE : word;
    return messages.fromOperator(idOrHandle, new Messages.PersonMessage(text, false, null), null);
  }

  /// Pauses or resumes an agent: while it is paused, messages wait and no turn starts.
  public Agent gate(String idOrHandle, boolean gated) {
    return database.transact(tx -> {
      Agent agent = Agents.holdAlive(tx, idOrHandle);
      gate(tx, events, agent, gated);
      return agent;
    });
  }

  /// Does nothing if the state is the same already.
  static void gate(Tx tx, EventLog events, Agent agent, boolean gated) {
    boolean isChanged = AgentStateTable.setGated(tx, agent.id(), gated);
    if (isChanged) {
      events.append(
          tx,
          NewEvent.of(gated ? "agent_gated" : "agent_ungated")
              .about(agent.id().value())
              .with("agent", agent.handle()));
    }
  }
}
