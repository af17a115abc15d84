package dev.substrat.tool;

import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Guards every write of a turn with its number.
public final class Fence {
  private static final String CURRENT =
      "where id = ? and turn_no = ? and lease_owner = ? and terminated_at is null";

  private static final String ALIVE = "where id = ? and terminated_at is null";

  private Fence() {}

  /// Fails the transaction unless `caller`'s turn still is the agent's current one, and keeps it so
  /// until the commit.
  public static void require(Tx tx, Caller caller) {
    String agent = caller.agent().id().value();
    boolean holds =
        caller.isExternal()
            ? hold(tx, ALIVE, agent)
            : hold(tx, CURRENT, agent, caller.turn(), caller.owner());
    if (!holds) {
      throw new StaleTurn(caller);
    }
  }

  private static boolean hold(Tx tx, String where, @Nullable Object... values) {
    return switch (tx.dialect()) {
      // Nobody else writes before the commit, so looking is enough, and it writes no page.
      case SQLITE -> tx.find("select 1 from agent " + where, _ -> true, values).isPresent();
      case POSTGRES -> tx.update("update agent set turn_no = turn_no " + where, values) == 1;
    };
  }
}
