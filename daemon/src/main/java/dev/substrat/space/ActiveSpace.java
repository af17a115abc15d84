package dev.substrat.space;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentStateTable;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.transcript.RunTable;
import java.util.Optional;

/// The active space of an agent: messages without an address go there, and visible tools are shown
/// there.
///
/// An agent has a durable one, which `enter_space` and `leave_space` change. A turn that a message
/// in a space has started has that space instead, until it enters or leaves one itself; the durable
/// one is then unchanged when the turn is over.
public final class ActiveSpace {
  private ActiveSpace() {}

  /// The active space of the caller's turn.
  public static Optional<String> find(Tx tx, ToolCaller caller) {
    return tx.find(
            """
            select coalesce(run.active_space, agent.active_space) as space
            from agent left join run on run.id = ? and run.agent_id = agent.id
            where agent.id = ?
            """,
            row -> Optional.ofNullable(row.textOrNull("space")),
            caller.run().value(),
            caller.agent().id().value())
        .flatMap(space -> space);
  }

  /// The durable one.
  static Optional<String> find(Tx tx, AgentId agent) {
    return tx.find(
        "select active_space from agent where id = ? and active_space is not null",
        row -> row.text("active_space"),
        agent.value());
  }

  /// False if the agent's turn is in that space already, and so is the agent itself.
  static boolean enter(Tx tx, ToolCaller caller, String space) {
    boolean isMoved = clearTurn(tx, caller);
    return AgentStateTable.setActiveSpace(tx, caller.agent().id(), space) || isMoved;
  }

  /// False if neither the turn nor the agent has one.
  static boolean leave(Tx tx, ToolCaller caller) {
    boolean isMoved = clearTurn(tx, caller);
    return AgentStateTable.clearActiveSpace(tx, caller.agent().id()) || isMoved;
  }

  /// The turn uses the durable active space again.
  private static boolean clearTurn(Tx tx, ToolCaller caller) {
    return RunTable.clearActiveSpace(tx, caller.run());
  }

  /// A removed member loses its active space, too.
  static void clear(Tx tx, String space, SpaceMember member) {
    AgentStateTable.clearActiveSpace(tx, member.key(), space);
  }

  /// The same for the member's turn. The caller holds the lock of the space, like every caller that
  /// posts there.
  static void clearTurns(Tx tx, String space, SpaceMember member) {
    RunTable.clearActiveSpace(tx, member.key(), space);
  }
}
