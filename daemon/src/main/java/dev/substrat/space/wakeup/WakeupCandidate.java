package dev.substrat.space.wakeup;

import dev.substrat.platform.identity.AgentId;

/// An agent that a message in its space could wake; an external agent fetches its messages itself.
public record WakeupCandidate(AgentId id, String handle, String name, boolean isExternal) {}
