package dev.substrat.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.space.Space.WakePolicy;
import java.time.Duration;
import java.util.List;

/// Something that happens to a team from outside, at the latest when step `at` has come.
sealed interface Act {
  /// When everything else has happened.
  int AT_REST = Integer.MAX_VALUE;

  int at();

  /// The operator writes to an agent.
  record Write(int at, String agent, String text, boolean sync, String key) implements Act {}

  /// The operator answers the newest agent that asked them something.
  record Answer(int at) implements Act {}

  record Cancel(int at, String agent) implements Act {}

  record Terminate(int at, String agent) implements Act {}

  /// The operator makes a room.
  record Found(int at, WakePolicy policy, List<String> members) implements Act {}

  /// The operator says something in the room.
  record Say(int at, String text, String key) implements Act {}

  /// Somebody is brought into the room, or taken out.
  record Move(int at, String agent, boolean isOut) implements Act {}

  /// The operator lets the oldest held message go on, and whatever is held in the room.
  record Release(int at) implements Act {}

  /// An agent whose mind is elsewhere calls a tool; `again` if the answer gets lost on its way and
  /// it asks the same once more.
  record CallTool(
      int at, String agent, String tool, ObjectNode arguments, String key, boolean again)
      implements Act {}

  /// A daemon dies wherever its threads are; for good, or until it is started again.
  record Crash(int at, int node, boolean forGood) implements Act {}

  /// A daemon is stopped in good order and started again.
  record Stop(int at, int node) implements Act {}

  /// Time passes: gently, with leases renewed meanwhile, or as if the machine had been asleep.
  record Jump(int at, Duration time, boolean gently) implements Act {}

  /// A daemon's clock is set.
  record Skew(int at, int node, Duration to) implements Act {}
}
