package dev.substrat.tool;

import dev.substrat.store.Tx;

/// Guards every write of a turn with its number.
public final class Fence {
  private static final String HOLD =
      """
      update agent set turn_no = turn_no
      where id = ? and turn_no = ? and lease_owner = ? and terminated_at is null
      """;

  private static final String HOLD_ALIVE =
      "update agent set turn_no = turn_no where id = ? and terminated_at is null";

  private Fence() {}

  /// Fails the transaction unless `caller`'s turn still is the agent's current one, and keeps it so
  /// until the commit.
  public static void require(Tx tx, Caller caller) {
    String agent = caller.agent().id().value();
    boolean holds =
        caller.isExternal()
            ? tx.update(HOLD_ALIVE, agent) == 1
            : tx.update(HOLD, agent, caller.turn(), caller.owner()) == 1;
    if (!holds) {
      throw new StaleTurn(caller);
    }
  }
}
