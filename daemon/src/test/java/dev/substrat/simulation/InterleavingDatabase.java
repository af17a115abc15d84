package dev.substrat.simulation;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.SingleThreadedSqlite;
import dev.substrat.store.Tx;
import java.util.function.Consumer;

/// The database of one simulated daemon: it lets other threads run wherever they could interleave.
///
/// The scheduler itself, and the daemon's start, use it directly.
final class InterleavingDatabase implements Database {
  /// One transaction in so many is done twice, as the contract of [Database] allows.
  private static final int REHEARSED = 40;

  private final Simulation world;
  private final SimulatedDaemon node;
  private final SingleThreadedSqlite database;

  InterleavingDatabase(Simulation world, SimulatedDaemon node, SingleThreadedSqlite database) {
    this.world = world;
    this.node = node;
    this.database = database;
  }

  @Override
  public <T> T transact(TransactionBody<T> work) {
    SimulatedThread actor = SimulatedThread.current();
    if (actor == null || SingleThreadedSqlite.isTakingPart()) {
      return database.transact(work);
    }
    actor.pauseAt("before a transaction");
    if (world.random().nextInt(REHEARSED) == 0) {
      tryOut(work);
    }
    T result =
        world.sabotage().dropsCommit(database.commits())
            ? database.dryRun(work)
            : database.transact(tx -> watched(tx, actor, work));
    actor.pauseAt("after a commit");
    return result;
  }

  private void tryOut(TransactionBody<?> work) {
    try {
      database.dryRun(work);
    } catch (RuntimeException e) {
      // It will fail again, and then its caller gets the failure.
      world.note("a rehearsal fails: " + e.getMessage());
    }
  }

  /// A turn that lost its lease must not change anything, except for reporting its end.
  private <T> T watched(Tx tx, SimulatedThread actor, TransactionBody<T> work) {
    AgentId agent = actor.agent();
    if (agent == null) {
      return work.in(tx);
    }
    boolean isStale = actor.turn > 0 && !holds(tx, agent, actor.turn);
    boolean isLeased = actor.turn == 0 && isLeased(tx, agent);
    long before = changes(tx);
    T result = work.in(tx);
    if (isStale && changes(tx) - before > 1) {
      throw new InvariantViolation(
          "a turn that lost its lease writes nothing",
          actor + " wrote after it had lost its lease");
    }
    if (actor.turn == 0) {
      actor.turn = current(tx, agent);
    }
    if (isLeased && actor.turn > 0) {
      throw new InvariantViolation(
          "at most one turn per agent", actor + " began while another one's lease held");
    }
    return result;
  }

  private static boolean isLeased(Tx tx, AgentId agent) {
    return tx.number(
            "select count(*) as n from agent where id = ? and lease_until > " + tx.dialect().now(),
            agent.value())
        == 1;
  }

  private boolean holds(Tx tx, AgentId agent, long turn) {
    return tx.number(
            "select count(*) as n from agent where id = ? and turn_no = ? and lease_owner = ?",
            agent.value(),
            turn,
            node.owner())
        == 1;
  }

  private long current(Tx tx, AgentId agent) {
    return tx.find(
            "select turn_no from agent where id = ? and lease_owner = ?",
            row -> row.number("turn_no"),
            agent.value(),
            node.owner())
        .orElse(0L);
  }

  private static long changes(Tx tx) {
    return tx.number("select total_changes() as n");
  }

  @Override
  public <T> T read(TransactionBody<T> work) {
    SimulatedThread actor = SimulatedThread.current();
    if (actor != null && !SingleThreadedSqlite.isTakingPart()) {
      actor.pauseAt("before a read");
    }
    return database.read(work);
  }

  @Override
  public AutoCloseable listen(String channel, Consumer<String> heard) {
    return () -> {};
  }

  @Override
  public Dialect dialect() {
    return database.dialect();
  }

  @Override
  public void close() {}
}
