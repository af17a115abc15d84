package dev.substrat.space;

import dev.substrat.id.AgentId;

/// An agent that could be woken by what is said in a space it is in; one that is elsewhere fetches
/// its mail itself.
record Listener(AgentId id, String handle, String name, boolean isElsewhere) {}
