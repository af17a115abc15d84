package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.space.Space.WakePolicy;
import java.time.Duration;
import java.util.List;

/// An action from outside on a simulated team, executed at step `at` at the latest.
sealed interface ExternalAction {
  /// When everything else has happened.
  int AT_REST = Integer.MAX_VALUE;

  int at();

  /// The operator writes to an agent.
  record Write(int at, String agent, String text, boolean sync, String key)
      implements ExternalAction {}

  /// The operator answers the newest agent that asked them something.
  record Answer(int at) implements ExternalAction {}

  record Cancel(int at, String agent) implements ExternalAction {}

  record Terminate(int at, String agent) implements ExternalAction {}

  /// The operator creates a space.
  record Found(int at, WakePolicy policy, List<String> members) implements ExternalAction {}

  /// The operator posts in the space.
  record Say(int at, String text, String key) implements ExternalAction {}

  /// A member is added to the space or removed.
  record Move(int at, String agent, boolean isOut) implements ExternalAction {}

  /// The operator releases the oldest held message, and everything that is held in the space.
  record Release(int at) implements ExternalAction {}

  /// An external agent calls a tool; `again` if the response is lost and the request is repeated.
  record CallTool(
      int at, String agent, String tool, ObjectNode arguments, String key, boolean again)
      implements ExternalAction {}

  /// A daemon dies wherever its threads are; for good, or until it is started again.
  record Crash(int at, int node, boolean forGood) implements ExternalAction {}

  /// A daemon is stopped in good order and started again.
  record Stop(int at, int node) implements ExternalAction {}

  /// Time passes: gently, with leases renewed meanwhile, or as if the machine had been asleep.
  record Jump(int at, Duration time, boolean gently) implements ExternalAction {}

  /// A daemon's clock is set.
  record Skew(int at, int node, Duration to) implements ExternalAction {}
}
