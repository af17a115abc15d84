package dev.substrat.turn.scheduling;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.RunId;
import dev.substrat.turn.LiveTurn;
import dev.substrat.turn.ProgramTokens;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Registry of the turns running in this process, so that they can be interrupted.
///
/// Interrupting only frees the slot: whether a turn may still write is decided by its lease, in the
/// database. Safe for many threads.
public final class RunningTurns {
  public static final String TOO_LONG = "the turn took too long";

  private final Map<AgentId, RunningTurn> running = new ConcurrentHashMap<>();
  private final ProgramTokens keys = new ProgramTokens();
  private final InstantSource clock;

  public RunningTurns(InstantSource clock) {
    this.clock = clock;
  }

  /// The calling thread works on this turn from now on, at most until `limit`.
  public void begin(LiveTurn turn, Instant limit) {
    running.put(turn.agent().id(), new RunningTurn(turn, Thread.currentThread(), limit));
  }

  /// The turn that `run` is the record of, if it is under way in this process.
  public Optional<LiveTurn> find(RunId run) {
    return running.values().stream()
        .map(one -> one.turn)
        .filter(turn -> turn.caller().run().equals(run))
        .findFirst();
  }

  /// The record of the agent's turn, if it has one under way here.
  public Optional<RunId> runOf(AgentId agent) {
    return Optional.ofNullable(running.get(agent)).map(one -> one.turn.caller().run());
  }

  public ProgramTokens standingKeys() {
    return keys;
  }

  public List<RunningTurn> all() {
    return List.copyOf(running.values());
  }

  public void end(AgentId agent) {
    running.remove(agent);
  }

  /// Why the agent's turn was interrupted, if it was.
  public Optional<String> reason(AgentId agent) {
    RunningTurn one = running.get(agent);
    return one == null ? Optional.empty() : Optional.ofNullable(one.reason);
  }

  /// Ends the agent's turn, if it has one here; the first reason counts.
  public void interrupt(AgentId agent, String reason) {
    RunningTurn one = running.get(agent);
    if (one != null) {
      interrupt(one, reason);
    }
  }

  /// Interrupts exactly this turn of the agent, if it runs here: a late request must not hit the
  /// next one.
  public void interrupt(AgentId agent, long turn, String reason) {
    RunningTurn one = running.get(agent);
    if (one != null && one.turn() == turn) {
      interrupt(one, reason);
    }
  }

  /// Ends this very turn, not one that came after it.
  public void interrupt(RunningTurn one, String reason) {
    if (one.reason == null && one.equals(running.get(one.agent()))) {
      one.reason = reason;
      one.thread.interrupt();
    }
  }

  /// Interrupts turns over their time limit; returns how many.
  public int interruptOverdue() {
    Instant now = clock.instant();
    List<RunningTurn> overdue =
        all().stream().filter(one -> one.reason == null && now.isAfter(one.limit)).toList();
    overdue.forEach(one -> interrupt(one, TOO_LONG));
    return overdue.size();
  }

  /// When this turn exceeds its time limit, unless it was interrupted already.
  Optional<Instant> limit(AgentId agent, long turn) {
    return Optional.ofNullable(running.get(agent))
        .filter(one -> one.turn() == turn && one.reason == null)
        .map(one -> one.limit.plusMillis(1));
  }

  /// A running turn.
  public static final class RunningTurn {
    private final LiveTurn turn;
    private final Thread thread;
    private final Instant limit;
    private volatile @Nullable String reason;

    private RunningTurn(LiveTurn turn, Thread thread, Instant limit) {
      this.turn = turn;
      this.thread = thread;
      this.limit = limit;
    }

    AgentId agent() {
      return turn.agent().id();
    }

    long turn() {
      return turn.caller().turn();
    }
  }
}
