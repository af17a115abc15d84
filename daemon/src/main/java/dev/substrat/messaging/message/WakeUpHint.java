package dev.substrat.messaging.message;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.team.AgentTree.Alive;

/// Receiver of hints that a committed message may have made its recipient ready for a turn.
///
/// Only a hint: whether the agent is ready is a query, and one that gets lost delays a turn until
/// the next query. Declared here, implemented by `turn`. Runs where other transactions wait, so it
/// must be quick and read nothing.
@FunctionalInterface
public interface WakeUpHint {
  void mayBeReady(Alive recipient, MessageId message);
}
