package dev.substrat.space.wakeup;

import dev.substrat.platform.identity.AgentId;

/// An agent that could be woken by what is said in a space it is in; one that is elsewhere fetches
/// its mail itself.
public record WakeupCandidate(AgentId id, String handle, String name, boolean isElsewhere) {}
