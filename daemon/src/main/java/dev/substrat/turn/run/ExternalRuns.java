package dev.substrat.turn.run;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentStateTable;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.transcript.RunTable;
import java.time.InstantSource;
import java.util.Optional;

/// Records the calls of an external agent under one run that stays open.
public final class ExternalRuns {
  private static final String OPEN = "select id from run where agent_id = ? and status = 'open'";

  private final Database database;
  private final InstantSource clock;

  public ExternalRuns(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  public ToolCaller caller(Agent agent) {
    RunId run = database.read(tx -> findOpen(tx, agent.id())).orElseGet(() -> open(agent));
    return ToolCaller.external(agent, run);
  }

  /// The open run of the agent, as part of a larger query.
  public static Optional<RunId> findOpen(Tx tx, AgentId agent) {
    return tx.find(OPEN, row -> new RunId(row.text("id")), agent.value());
  }

  private RunId open(Agent agent) {
    return database.transact(tx -> {
      // Locks the agent, so that it is not terminated before its run is open; a terminated agent
      // gets none.
      AgentStateTable.lock(tx, agent.id());
      AgentTree.require(tx, agent.id().value());
      RunTable.openExternal(tx, agent.id().value(), clock.instant());
      return findOpen(tx, agent.id()).orElseThrow();
    });
  }

  /// Closes the run under which a person's test of a tool was recorded.
  public void closeTest(Agent agent) {
    if (!agent.isExternal()) {
      database.transact(tx -> {
        RunTable.closeExternal(tx, agent.id().value(), "a person tested a tool", clock.instant());
        return true;
      });
    }
  }
}
