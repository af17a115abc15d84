package dev.substrat.space;

import dev.substrat.id.AgentId;
import dev.substrat.store.Tx;
import java.util.Optional;

/// Where an agent is: what it says without an address goes there. It stays there until it leaves,
/// whatever happens to daemons meanwhile.
public final class ActiveSpace {
  private ActiveSpace() {}

  public static Optional<String> find(Tx tx, AgentId agent) {
    return tx.find(
        "select active_space from agent where id = ? and active_space is not null",
        row -> row.text("active_space"),
        agent.value());
  }

  static boolean enter(Tx tx, AgentId agent, String space) {
    return tx.update(
            """
            update agent set active_space = ?
            where id = ? and (active_space is null or active_space <> ?)
            """,
            space,
            agent.value(),
            space)
        == 1;
  }

  static boolean leave(Tx tx, AgentId agent) {
    return tx.update(
            "update agent set active_space = null where id = ? and active_space is not null",
            agent.value())
        == 1;
  }

  /// A member that is out of a space is not in it any more, either.
  static void clear(Tx tx, String space, Member member) {
    tx.update(
        "update agent set active_space = null where id = ? and active_space = ?",
        member.key(),
        space);
  }
}
