package dev.substrat.tool;

import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Guards every write of a turn with its number.
public final class TurnFence {
  private static final String CURRENT =
      "where id = ? and turn_no = ? and lease_owner = ? and terminated_at is null";

  private static final String ALIVE = "where id = ? and terminated_at is null";

  private TurnFence() {}

  /// Fails the transaction unless `caller`'s turn still is the agent's current one, and keeps it so
  /// until the commit.
  public static void require(Tx tx, ToolCaller caller) {
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
      // There is no other writer before the commit, so reading is enough.
      case SQLITE -> tx.find("select 1 from agent " + where, _ -> true, values).isPresent();
      case POSTGRES ->
          tx.find("select 1 from agent " + where + " for no key update", _ -> true, values)
              .isPresent();
    };
  }
}
