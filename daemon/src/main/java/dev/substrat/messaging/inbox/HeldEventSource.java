package dev.substrat.messaging.inbox;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.store.Tx;

/// Source of events that a guard holds back and that are not in the inbox yet. A held event does
/// not wake an agent, but the agent can read it: it enters the inbox when the agent checks it.
///
/// Declared here, implemented by `space`.
@FunctionalInterface
public interface HeldEventSource {
  void moveToInbox(Tx tx, AgentId agent);
}
