package dev.substrat.turn.scheduling;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.turn.scheduling.Leases.Ready;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Decides which ready agents this daemon starts and which it leaves to the daemon that ran their
/// last turn, so that daemons do not race for the same agent.
///
/// The other daemon gets [#HEAD_START]; after it, a daemon with a free slot takes the agent. After
/// [#LONGEST_WAIT] every daemon queues it with its own agents, because the other one may be stopped
/// or dead. Times are those since this daemon first saw the agent ready, so clocks of daemons are
/// not compared. Losing this state costs one more wait.
///
/// Belongs to one thread at a time.
public final class AgentAffinity {
  public static final Duration HEAD_START = Duration.ofMillis(25);
  public static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final String owner;
  private Map<AgentId, Sighting> waiting = Map.of();

  public AgentAffinity(String owner) {
    this.owner = owner;
  }

  /// An agent of another daemon, ready since `nanos` for the turn after `turn`.
  private record Sighting(Ready ready, long nanos) {
    boolean isOlderThan(Duration age, long now) {
      return now - nanos >= age.toNanos();
    }
  }

  /// Agents to queue, longest wait first; then those to start only if a slot is free. `others` are
  /// daemons with agents that became ready since the last choice, and `isIncomplete` is true if
  /// agents are left to them.
  public record Choice(
      List<Ready> own, List<Ready> spare, Set<String> others, boolean isIncomplete) {}

  /// Chooses from all ready agents, without those that are `underWay` here.
  public Choice choose(List<Ready> ready, Predicate<AgentId> underWay, long now) {
    var own = new ArrayList<Ready>();
    var spare = new ArrayList<Ready>();
    var others = new TreeSet<String>();
    var left = new HashMap<AgentId, Sighting>();
    for (Ready one : ready) {
      String other = one.ranOn();
      if (other == null || other.equals(owner)) {
        own.add(one);
      } else if (!underWay.test(one.agent())) {
        Sighting sighting = sighting(one, now);
        left.put(one.agent(), sighting);
        if (sighting.isOlderThan(LONGEST_WAIT, now)) {
          own.add(one);
        } else if (sighting.isOlderThan(HEAD_START, now)) {
          spare.add(one);
        } else if (sighting.nanos() == now) {
          others.add(other);
        }
      }
    }
    waiting = left;
    return new Choice(own, spare, others, !left.isEmpty());
  }

  /// A turn in between starts the wait again: the other daemon is at work.
  private Sighting sighting(Ready ready, long now) {
    Sighting before = waiting.get(ready.agent());
    return before == null || before.ready().turn() != ready.turn()
        ? new Sighting(ready, now)
        : before;
  }
}
