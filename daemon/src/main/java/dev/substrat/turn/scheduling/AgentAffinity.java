package dev.substrat.turn.scheduling;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.turn.scheduling.Leases.ReadyAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/// Decides which ready agents this daemon starts and which it leaves to the daemon that ran their
/// last turn, so that daemons do not race for the same agent.
///
/// The other daemon gets a head start; after it, a daemon with a free slot takes the agent. After
/// [#LONGEST_WAIT] every daemon queues it with its own agents, because the other one may be stopped
/// or dead. A daemon that lost a claim tries again after twice the time: the winner has not
/// committed its claim yet, or another transaction is changing the agent.
///
/// Times are those since this daemon first saw the agent ready, so clocks of daemons are not
/// compared. Losing this state costs one more wait.
///
/// Belongs to one thread at a time, except [#claimTook].
public final class AgentAffinity {
  /// Several times the duration of a claim, if the database is fast.
  static final Duration HEAD_START = Duration.ofMillis(25);

  static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /// Weight of the last claim in the average: one in so many.
  private static final int CLAIMS = 8;

  /// The head start in durations of a claim.
  private static final int CLAIMS_AHEAD = 3;

  private static final int MOST_DOUBLINGS = 4;

  private final String owner;
  private Map<AgentId, Sighting> waiting = new HashMap<>();

  /// Moving average of the duration of claims, in nanoseconds. Generous at first: a daemon that has
  /// just started is slow.
  private final AtomicLong claimNanos = new AtomicLong(HEAD_START.toNanos() * 4);

  public AgentAffinity(String owner) {
    this.owner = owner;
  }

  /// An agent that is left to another daemon, ready since `nanos` for the turn after `turn`, with
  /// the number of claims lost since then.
  private record Sighting(long turn, long nanos, int losses) {
    boolean isOlderThan(Duration age, long now) {
      return now - nanos >= age.toNanos();
    }
  }

  /// Agents to queue, longest wait first; then those to start only if a slot is free. `others` are
  /// daemons with agents that became ready since the last choice, and `isIncomplete` is true if
  /// agents are left to them.
  public record Choice(
      List<ReadyAgent> own, List<ReadyAgent> spare, Set<String> others, boolean isIncomplete) {}

  /// Chooses from all ready agents. Agents that are `underWay` here are not left to others.
  public Choice choose(List<ReadyAgent> ready, Predicate<AgentId> underWay, long now) {
    var own = new ArrayList<ReadyAgent>();
    var spare = new ArrayList<ReadyAgent>();
    var others = new TreeSet<String>();
    var left = new HashMap<AgentId, Sighting>();
    boolean isIncomplete = false;
    for (ReadyAgent one : ready) {
      boolean isOwn = one.ranOn() == null || one.ranOn().equals(owner);
      Optional<Sighting> before = before(one);
      if (underWay.test(one.agent()) || (isOwn && before.isEmpty())) {
        own.add(one);
        before.ifPresent(sighting -> left.put(one.agent(), sighting));
        continue;
      }
      Sighting sighting = before.orElseGet(() -> new Sighting(one.turn(), now, 0));
      left.put(one.agent(), sighting);
      if (sighting.isOlderThan(LONGEST_WAIT, now)) {
        own.add(one);
      } else if (sighting.isOlderThan(pause(sighting), now)) {
        (isOwn ? own : spare).add(one);
      } else {
        isIncomplete = true;
        if (before.isEmpty() && one.ranOn() != null) {
          others.add(one.ranOn());
        }
      }
    }
    waiting = left;
    return new Choice(own, spare, others, isIncomplete);
  }

  /// Another daemon has claimed the agent, or is about to.
  public void lost(ReadyAgent ready, long now) {
    int losses = before(ready).map(Sighting::losses).orElse(0);
    waiting.put(ready.agent(), new Sighting(ready.turn(), now, losses + 1));
  }

  /// Adapts the head start to the speed of the database.
  public void claimTook(long nanos) {
    claimNanos.updateAndGet(average -> average + (nanos - average) / CLAIMS);
  }

  public Duration headStart() {
    long longest = LONGEST_WAIT.dividedBy(2).toNanos();
    return Duration.ofNanos(
        Math.clamp(claimNanos.get() * CLAIMS_AHEAD, HEAD_START.toNanos(), longest));
  }

  private Duration pause(Sighting sighting) {
    return headStart().multipliedBy(1L << Math.min(MOST_DOUBLINGS, sighting.losses()));
  }

  /// A turn in between starts the wait again: the other daemon is at work.
  private Optional<Sighting> before(ReadyAgent ready) {
    return Optional.ofNullable(waiting.get(ready.agent()))
        .filter(sighting -> sighting.turn() == ready.turn());
  }
}
