package dev.substrat.tool;

import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Fencing token of a turn: rejects writes of a turn that has lost its lease.
public final class TurnFence {
  private static final String CURRENT =
      "where id = ? and turn_no = ? and lease_owner = ? and terminated_at is null";

  private static final String ALIVE = "where id = ? and terminated_at is null";

  private TurnFence() {}

  private record FencedTurn(String agent, @Nullable String owner, long turn) {}

  /// Fails the transaction unless the caller's turn is the agent's current one, and keeps it
  /// current until the commit. The database is asked once per transaction.
  public static void require(Tx tx, ToolCaller caller) {
    String agent = caller.agent().id().value();
    var check = new FencedTurn(agent, caller.owner(), caller.turn());
    if (tx.isEstablished(check)) {
      return;
    }
    boolean holds =
        caller.isExternal()
            ? hold(tx, ALIVE, agent)
            : hold(tx, CURRENT, agent, caller.turn(), caller.owner());
    if (!holds) {
      throw new StaleTurn(caller);
    }
    tx.establish(check);
  }

  private static boolean hold(Tx tx, String where, @Nullable Object... values) {
    return switch (tx.dialect()) {
      // There is no other writer before the commit, so reading is enough.
      case SQLITE -> tx.find("select 1 from agent " + where, _ -> true, values).isPresent();
      case POSTGRES ->
          tx.find("select 1 from agent " + where + " for no key update", _ -> true, values)
              .isPresent();
    };
  }
}
