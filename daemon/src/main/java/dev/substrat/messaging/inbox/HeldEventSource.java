package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;

/// What a guard keeps from an agent without having put it into its inbox. A hold keeps from waking,
/// not from knowing: it comes into the inbox when the agent looks there.
///
/// This package owns the wish; `space` grants it.
@FunctionalInterface
public interface HeldEventSource {
  void bring(Tx tx, AgentId agent);
}
